// Records out of a CSV file (csv_scanner.h), as an input schema describes them.
//
// A table has a header line: columns are found by name, in any order, and columns that neither schema knows are
// ignored. Without a header the fields are the schema's columns in order, then the label. An image has no column names,
// hence never a header: its fields are the pixels, already in [0, 1], then the label.
//
// An empty number is missing and becomes NaN, as does a category outside of the schema if the caller wants that; any
// other fault is an error that names file, line and column, never the content.
#pragma once

#include <memory>
#include <optional>

#include "sotto/data/byte_stream.h"
#include "sotto/data/record_source.h"
#include "sotto/mechanism/schema.h"

namespace sotto {

enum class UnknownCategory { kRefuse, kMissing };

struct CsvOptions {
  bool header = true;  // of a table
  UnknownCategory unknown_category = UnknownCategory::kRefuse;
};

// The source has labels when a label schema is given. Numbers are read up to the range of float, not clipped to the
// schema's bounds: that is the constraint's work.
Result<std::unique_ptr<RecordSource>> open_csv(ByteStream stream, const InputSchema& schema,
                                               const std::optional<LabelSchema>& label, const CsvOptions& options);

}  // namespace sotto
