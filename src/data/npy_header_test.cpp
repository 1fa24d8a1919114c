#include "sotto/data/npy_header.h"

#include "sotto/data/fixture_test.h"

namespace sotto {
namespace {

TEST(NpyHeader, ReadsWhatNumpyWrites) {
  const NpyHeader header =
      parse_npy_header("{'descr': '<f4', 'fortran_order': False, 'shape': (60000, 784), }            \n")
          .value_or_throw();
  EXPECT_EQ(header.element, ElementType::kFloat32);
  EXPECT_EQ(header.shape, (std::vector<std::uint64_t>{60000, 784}));
}

TEST(NpyHeader, ReadsKeysInAnyOrderAndEitherQuote) {
  const NpyHeader header =
      parse_npy_header("{\"shape\":(3,),\"fortran_order\" :False,'descr': \"|u1\"}").value_or_throw();
  EXPECT_EQ(header.element, ElementType::kUint8);
  EXPECT_EQ(header.shape, (std::vector<std::uint64_t>{3}));
}

TEST(NpyHeader, ReadsEveryElementType) {
  const auto element_of = [](const std::string& descr) {
    return parse_npy_header("{'descr': '" + descr + "', 'fortran_order': False, 'shape': (1L, 2L)}")
        .value_or_throw()
        .element;
  };
  EXPECT_EQ(element_of("|u1"), ElementType::kUint8);
  EXPECT_EQ(element_of("<i4"), ElementType::kInt32);
  EXPECT_EQ(element_of("<i8"), ElementType::kInt64);
  EXPECT_EQ(element_of("<f4"), ElementType::kFloat32);
  EXPECT_EQ(element_of("<f8"), ElementType::kFloat64);
}

TEST(NpyHeader, CallsOtherTypesAndOrdersUnsupported) {
  for (const char* descr : {"'>f4'", "'<f2'", "'<c8'", "'|O'", "'<U5'", "[('a', '<f4')]"}) {
    const auto result =
        parse_npy_header(std::string("{'descr': ") + descr + ", 'fortran_order': False, 'shape': (1,)}");
    ASSERT_FALSE(result) << descr;
    EXPECT_EQ(result.error().code, ErrorCode::kUnsupported) << descr;
  }
  const auto fortran = parse_npy_header("{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}");
  ASSERT_FALSE(fortran);
  EXPECT_EQ(fortran.error().code, ErrorCode::kUnsupported);
}

TEST(NpyHeader, RefusesMalformedText) {
  for (const char* text : {
           "",
           "{",
           "{}",
           "[]",
           "{'descr': '<f4', 'fortran_order': False}",                                       // no shape
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'shape': (2,)}",         // repeated
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'extra': 1}",            // unknown
           "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,)}",                            //
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",                       //
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,)}",                      //
           "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}",  // above 2^64
           "{'descr': '<f4', 'fortran_order': False, 'shape': 5}",                           //
           "{'descr': '<f4', 'fortran_order': False, 'shape': (5}",                          //
           "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",                         //
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,)} x",                      //
           "{'descr': '<f4' 'fortran_order': False, 'shape': (1,)}",                         //
           "{descr: '<f4', 'fortran_order': False, 'shape': (1,)}",
       }) {
    const auto result = parse_npy_header(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput) << text;
  }
}

TEST(NpyHeader, RefusesEveryPrefixOfAGoodHeader) {
  const std::string whole = "{'descr': '<f4', 'fortran_order': False, 'shape': (12, 34), }";
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(parse_npy_header(whole.substr(0, length))) << length;
  }
  EXPECT_TRUE(parse_npy_header(whole));
}

}  // namespace
}  // namespace sotto
