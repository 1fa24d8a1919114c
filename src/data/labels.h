// Joins records with labels that come from a file of their own, one whole number a record: its class index.
#pragma once

#include <memory>

#include "sotto/data/record_source.h"

namespace sotto {

// Labels must be 0 .. class_count-1; a class_count of 0 stands for the largest there can be, 2^24. The two sources must
// be equally long: that, and every label, is checked as the stream goes by.
Result<std::unique_ptr<RecordSource>> attach_labels(std::unique_ptr<RecordSource> records,
                                                    std::unique_ptr<RecordSource> labels, std::size_t class_count);

}  // namespace sotto
