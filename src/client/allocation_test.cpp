// One record at a time allocates nothing once a thread has made a report: the paper's encoder of 784, 400, 150 and 50
// values down to 8, in both formats, with a label in either way.
//
// Every request for memory is counted, operator new's included, because all of them end in these functions; what mmap
// gives (a page of entropy, once a thread) is not. glibc only, which lets a program replace them and keeps its own
// under these names.
#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <thread>

#include "sotto/client/abi_test.h"
#include "sotto/client/papers_encoder_test.h"

namespace {
std::atomic<std::size_t> allocations{0};
}

extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* memory, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void* realloc(void* memory, std::size_t size) {
  ++allocations;
  return __libc_realloc(memory, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) { return memalign(alignment, size); }
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) {
  *memory = memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}

namespace sotto::client {
namespace {

MechanismSpec papers_mechanism() {
  MechanismSpec spec = labelled(spec_of(image(1, 28, 28), L1LatticeSpec{5, 65536}, ChannelFamily::kLatticeLaplace));
  spec.encoder = papers_encoder();
  return spec;
}

struct Caller {
  ReleaseHandle release;
  std::vector<std::int32_t> label;
  sotto_format format;
  std::vector<float> record = std::vector<float>(784, 0.5F);
  Bytes report = Bytes(sotto_release_report_size(release.get(), format));

  bool call() {
    return sotto_privatize(release.get(), record.data(), record.size(), label.data(), label.size(), format,
                           report.data(), report.size()) == SOTTO_OK;
  }
};

std::vector<Caller> callers() {
  const MechanismHandle mechanism = load(papers_mechanism());
  std::vector<Caller> all;
  for (const sotto_format format : {SOTTO_CBOR, SOTTO_NDJSON}) {
    all.push_back({open(mechanism, options_of("1")), {}, format});
    all.push_back({open(mechanism, with_lambda("1", "0.5")), {2}, format});
    all.push_back({open(mechanism, with_joint_label("1")), {2}, format});
  }
  return all;
}

TEST(Allocations, AreCountedAtAll) {
  const std::size_t before = allocations;
  auto* volatile memory = new int(7);
  delete memory;
  EXPECT_GT(allocations, before) << "the count below would prove nothing";
}

TEST(Allocations, HappenInAThreadsFirstCall) {
  Caller caller = std::move(callers()[0]);
  std::size_t during = 0;
  std::thread([&] {
    const std::size_t before = allocations;
    EXPECT_TRUE(caller.call());
    during = allocations - before;
  }).join();
  EXPECT_GT(during, 0U) << "the count below would not see what happens inside the library";
}

TEST(Allocations, DoNotHappenForOneRecordInSteadyState) {
  std::vector<Caller> all = callers();
  for (Caller& caller : all) ASSERT_TRUE(caller.call()) << sotto_last_error();  // the longest report first and last
  const std::size_t before = allocations;
  bool went_well = true;
  for (int i = 0; i < 200; ++i)
    for (Caller& caller : all) went_well = caller.call() && went_well;
  const std::size_t during = allocations - before;
  EXPECT_TRUE(went_well);
  EXPECT_EQ(during, 0U);
}

}  // namespace
}  // namespace sotto::client
