#include "sotto/kernel/entropy.h"

#include <sys/mman.h>
#include <sys/random.h>

#include <cerrno>
#include <string>

namespace sotto {
namespace {

[[noreturn]] void fail(const char* call, int error_number) {
  throw Failure({ErrorCode::kEntropyFailure, std::string("no entropy from the operating system: ") + call + ": " +
                                                 std::strerror(error_number) + "; nothing was released"});
}

}  // namespace

Entropy::Entropy() {
  static_assert(sizeof(Page) == 4096);
  void* memory = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("mmap", errno);
#if defined(__linux__)
  if (madvise(memory, sizeof(Page), MADV_WIPEONFORK) != 0) {
    const int error_number = errno;
    munmap(memory, sizeof(Page));
    fail("madvise(MADV_WIPEONFORK)", error_number);
  }
  (void)madvise(memory, sizeof(Page), MADV_DONTDUMP);  // keeps unused bytes out of core files; best effort
#elif !defined(__EMSCRIPTEN__)                         // WebAssembly has no fork
#error "sotto: port Entropy: it needs memory that is wiped in a forked child"
#endif
  page_ = static_cast<Page*>(memory);
}

Entropy::~Entropy() {
  explicit_bzero(page_, sizeof(Page));
  munmap(page_, sizeof(Page));
}

void Entropy::refill() {
  page_->remaining = 0;  // a throwing fill leaves the buffer empty, so the next call tries again
  fill(page_->bytes);
  page_->remaining = kCapacity;
}

void Entropy::fill(std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("getrandom", got < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace sotto
