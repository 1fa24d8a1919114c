#include "sotto/wire/json_check.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace sotto {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDepth = 16;

// Hears of each element in turn and keeps only the keys of the objects that are open. `false` ends the reading.
class Checker final : public nlohmann::json_sax<json> {
 public:
  const std::string& fault() const { return fault_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool start_object(std::size_t) override { return open(); }
  bool key(string_t& name) override {
    return keys_.back().insert(std::move(name)).second || fail("a key is named twice");
  }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(); }
  bool end_array() override { return close(); }

  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return fail("not valid JSON");
  }

 private:
  bool open() {
    keys_.emplace_back();
    return keys_.size() <= kMaxDepth || fail("brackets are nested more than 16 deep");
  }
  bool close() {
    keys_.pop_back();
    return true;
  }
  bool fail(const char* fault) {
    fault_ = fault;
    return false;
  }

  std::vector<std::set<std::string>> keys_;
  std::string fault_;
};

}  // namespace

Status check_json(std::string_view text) {
  Checker checker;
  if (!json::sax_parse(text, &checker)) return Error{ErrorCode::kInvalidInput, checker.fault()};
  return {};
}

}  // namespace sotto
