#include "sotto/data/open_source.h"

#include "sotto/data/fixture_test.h"
#include "sotto/data/npy.h"

namespace sotto {
namespace {

const InputSchema kImage = {.image = ImageShape{1, 1, 2}, .columns = {}};
const InputSchema kTable = {.image = {},
                            .columns = {{.name = "x", .minimum = 0, .maximum = 255, .categories = {}},
                                        {.name = "y", .minimum = 0, .maximum = 255, .categories = {}}}};
const LabelSchema kLabel = {"class", {"a", "b", "c"}};

const std::string kIdxImages("\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02\0\xff\xff\0", 20);
const std::string kIdxLabels("\0\0\x08\x01\0\0\0\x02\x02\x01", 10);
const std::string kNpyBytes = std::string("\x93NUMPY\x01\0\x3b\0", 10) +
                              "{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), }" +
                              std::string("\0\xff\xff\0", 4);

class OpenSource : public testing::Test {
 protected:
  Outcome read(const SourceSpec& spec, const InputSchema& schema, const std::optional<LabelSchema>& label = {}) {
    auto source = open_source(spec, schema, label);
    if (!source) return {.values = {}, .labels = {}, .rows = 0, .fault = source.error().message};
    return read_all(**source, 10);
  }
  ScratchDirectory scratch_;
};

TEST_F(OpenSource, KnowsIdxByItsFirstBytes) {
  const Outcome outcome = read({scratch_.write("images", kIdxImages)}, kImage);
  EXPECT_EQ(outcome.fault, "");
  EXPECT_EQ(outcome.values, (std::vector<float>{0, 1, 1, 0}));
}

TEST_F(OpenSource, ReadsIdxLabelsBesideTheImages) {
  const SourceSpec spec = {scratch_.write("images", kIdxImages), scratch_.write("labels", kIdxLabels)};
  EXPECT_EQ(read(spec, kImage, kLabel).labels, (std::vector<std::int32_t>{2, 1}));
  EXPECT_EQ(read(spec, kImage).labels, (std::vector<std::int32_t>{2, 1}));
  const LabelSchema two = {"class", {"a", "b"}};
  EXPECT_TRUE(contains(read(spec, kImage, two).fault, "record 1 is not a whole number in 0 to 1"));
}

TEST_F(OpenSource, ScalesBytesForAnImageOnly) {
  for (const std::string& content : {kNpyBytes, kIdxImages}) {  // known without an extension
    const std::string path = scratch_.write("bytes", content);
    EXPECT_EQ(read({path}, kImage).values, (std::vector<float>{0, 1, 1, 0}));
    EXPECT_EQ(read({path}, kTable).values, (std::vector<float>{0, 255, 255, 0}));
  }
}

TEST_F(OpenSource, ReadsNpyLabelsBesideNpyRecords) {
  const std::string records = scratch_.write("records.npy", kNpyBytes);
  const auto labels = scratch_.path() / "labels.npy";
  ASSERT_TRUE(write_npy(labels, std::vector<std::int32_t>{0, 2}));
  EXPECT_EQ(read({records, labels.string()}, kTable, kLabel).labels, (std::vector<std::int32_t>{0, 2}));
}

TEST_F(OpenSource, ReadsCsvWithItsLabelColumnOrALabelFile) {
  const std::string path = scratch_.write("table.csv", "y,x,class\n1,2,b\n3,4,c\n");
  EXPECT_EQ(read({path}, kTable).values, (std::vector<float>{2, 1, 4, 3}));
  EXPECT_EQ(read({path}, kTable, kLabel).labels, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(read({path, scratch_.write("labels", kIdxLabels)}, kTable, kLabel).labels,
            (std::vector<std::int32_t>{2, 1}));
  const std::string bare = scratch_.write("bare.csv", "1,2\n3,4\n");
  EXPECT_EQ(read({bare, "", {.header = false}}, kTable).values, (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(OpenSource, RefusesWhatItCannotTell) {
  const std::string path = scratch_.write("table.txt", "x,y\n1,2\n");
  EXPECT_TRUE(contains(read({path}, kTable).fault, "does not end in .csv"));
  EXPECT_TRUE(contains(read({scratch_.write("a.npy", "x,y\n1,2\n")}, kTable).fault, "not an NPY file"));
  EXPECT_TRUE(contains(read({scratch_.path() / "absent.csv"}, kTable).fault, "absent.csv"));
}

TEST_F(OpenSource, RefusesRecordsOfAnotherWidth) {
  const InputSchema large = {.image = ImageShape{1, 28, 28}, .columns = {}};
  EXPECT_TRUE(
      contains(read({scratch_.write("images", kIdxImages)}, large).fault, "records of 2 values, the schema has 784"));
}

TEST_F(OpenSource, RefusesImagesWhoseExtentsAreInAnotherOrder) {
  const auto npy = [](const std::string& shape) {
    const std::string header = "{'descr': '|u1', 'fortran_order': False, 'shape': (1, " + shape + "), }";
    return std::string("\x93NUMPY\x01\0", 8) + static_cast<char>(header.size()) + '\0' + header + std::string(24, 'x');
  };
  const InputSchema image = {.image = ImageShape{3, 2, 4}, .columns = {}};
  for (const char* shape : {"3, 2, 4", "24", "3, 1, 2, 4"}) {
    EXPECT_EQ(read({scratch_.write("image", npy(shape))}, image).rows, 1U) << shape;
  }
  for (const char* shape : {"2, 4, 3", "4, 2, 3", "6, 4"}) {
    EXPECT_TRUE(contains(read({scratch_.write("image", npy(shape))}, image).fault, "channels, rows, columns")) << shape;
  }
}

TEST_F(OpenSource, RefusesWantedLabelsThatAreNotThere) {
  EXPECT_TRUE(contains(read({scratch_.write("images", kIdxImages)}, kImage, kLabel).fault, "no label file given"));
  EXPECT_TRUE(contains(read({"-", "-"}, kImage, kLabel).fault, "labels: received -"));
  const SourceSpec csv = {scratch_.write("images", kIdxImages), scratch_.write("labels.csv", "class\na\nb\n")};
  EXPECT_TRUE(contains(read(csv, kImage, kLabel).fault, "a label file is IDX or NPY"));
}

TEST_F(OpenSource, RefusesInvalidSchemas) {
  EXPECT_TRUE(contains(read({"-"}, InputSchema{}).fault, "neither"));
  EXPECT_TRUE(contains(read({"-"}, kImage, LabelSchema{"class", {}}).fault, "received 0"));
}

}  // namespace
}  // namespace sotto
