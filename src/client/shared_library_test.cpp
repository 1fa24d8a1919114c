// The library as it ships, found at run time, which is how other languages use it: it works beside a program that holds
// a copy of sotto itself (this test), and goes when it is told to.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <thread>

#include "sotto/client/abi_test.h"

namespace sotto::client {
namespace {

class SharedLibrary {
 public:
  SharedLibrary() : library_(::dlopen(SOTTO_SHARED_LIBRARY, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(::dlerror());
  }
  SharedLibrary(const SharedLibrary&) = delete;
  SharedLibrary& operator=(const SharedLibrary&) = delete;
  ~SharedLibrary() { EXPECT_EQ(::dlclose(library_), 0); }

  template <typename Function>
  Function* function(Function& /*of the copy*/, const char* name) const {
    auto* found = reinterpret_cast<Function*>(::dlsym(library_, name));
    if (found == nullptr) throw std::runtime_error(::dlerror());
    return found;
  }

 private:
  void* library_;
};

#define SOTTO_FUNCTION(library, name) (library).function(name, #name)

// From file to report; the bytes of the report.
Bytes report_by(const SharedLibrary& library, const std::vector<std::byte>& file) {
  sotto_mechanism* mechanism = nullptr;
  EXPECT_EQ(SOTTO_FUNCTION(library, sotto_mechanism_load)(file.data(), file.size(), &mechanism), SOTTO_OK);
  const sotto_release_options options = options_of("1");
  sotto_release* release = nullptr;
  EXPECT_EQ(SOTTO_FUNCTION(library, sotto_release_open)(mechanism, &options, &release), SOTTO_OK);
  SOTTO_FUNCTION(library, sotto_mechanism_free)(mechanism);
  Bytes report(SOTTO_FUNCTION(library, sotto_release_report_size)(release, SOTTO_CBOR));
  const float record[] = {0.5F, 0};
  EXPECT_EQ(SOTTO_FUNCTION(library, sotto_privatize)(release, record, 2, nullptr, 0, SOTTO_CBOR, report.data(),
                                                     report.size()),
            SOTTO_OK);
  SOTTO_FUNCTION(library, sotto_release_free)(release);
  return report;
}

TEST(SharedLibraryAbi, IsOfTheVersionItsHeaderStates) {
  const SharedLibrary library;
  EXPECT_EQ(SOTTO_FUNCTION(library, sotto_abi_version)(), sotto_abi_version());
  EXPECT_NE(SOTTO_FUNCTION(library, sotto_abi_version), &sotto_abi_version) << "the copy was tested, not the library";
}

TEST(SharedLibraryAbi, MakesReportsThatThisProgramReads) {
  const SharedLibrary library;
  const Bytes report = report_by(library, file_of(l1_spec(64)));
  std::vector<std::int64_t> values(2);
  EXPECT_TRUE(release_of(l1_spec(64), "1").codec().read_cbor(report, values));
}

TEST(SharedLibraryAbi, ThrowsAndCatchesWithinItself) {
  const SharedLibrary library;
  sotto_mechanism* mechanism = nullptr;
  EXPECT_EQ(SOTTO_FUNCTION(library, sotto_mechanism_load)("{}", 2, &mechanism), SOTTO_CORRUPT_FILE);
  EXPECT_STRNE(SOTTO_FUNCTION(library, sotto_last_error)(), "");
  EXPECT_STREQ(sotto_last_error(), "") << "the copy heard of it";
}

TEST(SharedLibraryAbi, MayBeClosedWhileThreadsThatUsedItLive) {
  const auto file = file_of(l1_spec(64));
  for (int i = 0; i < 3; ++i) {
    std::thread([&] {
      const SharedLibrary library;
      (void)report_by(library, file);
    }).join();
    const SharedLibrary library;
    EXPECT_FALSE(is_all_zero(report_by(library, file)));
  }
}

}  // namespace
}  // namespace sotto::client
