// The same as privatize.c without a ledger, for those who write C++: handles that free themselves, errors as
// exceptions.
//
//   c++ -std=c++17 privatize.cpp $(pkg-config --cflags --libs sotto-device) -o privatize
//   echo 0.5 0.25 | ./privatize MECHANISM.sotto EPSILON
#include <sotto.h>

#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Free {
  void operator()(sotto_mechanism* handle) const { sotto_mechanism_free(handle); }
  void operator()(sotto_release* handle) const { sotto_release_free(handle); }
};

void check(sotto_status status) {
  if (status != SOTTO_OK) throw std::runtime_error(sotto_last_error());
}

std::unique_ptr<sotto_mechanism, Free> load(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  sotto_mechanism* mechanism = nullptr;
  check(sotto_mechanism_load(bytes.data(), bytes.size(), &mechanism));
  return std::unique_ptr<sotto_mechanism, Free>(mechanism);
}

std::unique_ptr<sotto_release, Free> open(const sotto_mechanism* mechanism, const char* epsilon) {
  sotto_release_options options{};
  options.struct_size = sizeof options;
  options.epsilon = epsilon;  // as text, exactly: there is no default
  sotto_release* release = nullptr;
  check(sotto_release_open(mechanism, &options, &release));
  return std::unique_ptr<sotto_release, Free>(release);
}

std::string privatize(const sotto_release* release, const std::vector<float>& record) {
  std::string report(sotto_release_report_size(release, SOTTO_NDJSON), '\0');
  check(sotto_privatize(release, record.data(), record.size(), nullptr, 0, SOTTO_NDJSON, report.data(), report.size()));
  return report;
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 3) {
    std::cerr << "usage: " << argv[0] << " MECHANISM.sotto EPSILON < record\n";
    return 2;
  }
  const auto mechanism = load(argv[1]);
  const auto release = open(mechanism.get(), argv[2]);
  std::cerr << "The mechanism:\n"
            << sotto_mechanism_description(mechanism.get()) << "What leaves this device:\n"
            << sotto_release_description(release.get());
  const std::vector<float> record{std::istream_iterator<float>(std::cin), {}};
  std::cout << privatize(release.get(), record);
  return 0;
} catch (const std::exception& error) {
  std::cerr << "no report: " << error.what() << '\n';
  return 1;
}
