// Opens whatever a user names on a command line: CSV, NPY or IDX, from a file or standard input.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sotto/data/csv.h"
#include "sotto/data/record_source.h"
#include "sotto/mechanism/schema.h"

namespace sotto {

struct SourceSpec {
  std::string records;      // a path, or "-" for standard input
  std::string labels = {};  // the same, or empty: labels are a column of the CSV records, or there are none
  CsvOptions csv = {};
};

// The first bytes tell NPY and IDX from CSV; a path that is none of the first two must end in ".csv". The width of the
// records must be the schema's, and an image's extents in the order channel, row, column. With an image schema the
// bytes of an array are pixels, to be divided by 255; with a table they are numbers.
// A label file is IDX or NPY with one extent. With a label schema every record has a label in its range, so that
// records other than CSV need a label file; a label file without a label schema is read with any class index allowed.
Result<std::unique_ptr<RecordSource>> open_source(const SourceSpec& spec, const InputSchema& schema,
                                                  const std::optional<LabelSchema>& label);

}  // namespace sotto
