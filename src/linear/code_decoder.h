// A decoder for codebooks: the linear map from a code's centroid to the mean auxiliary record of that code, or as near
// to it as a linear map comes, so that people can see what a code stands for. Least squares over the records, which is
// least squares over the codes' means, each weighted by its records; a tiny ridge settles what the centroids leave
// open. Exact, but for rounding, when the centroids are linearly independent, so usually for no more codes than
// dimensions.
//
// Mechanism files are public, and a mean of few records shows them. So codes of fewer than kMinRecordsOfACode records
// have no part in the fit: their records are not in the decoder, and what it gives for them is no mean. This spares the
// plainest case; it is no promise about the auxiliary records, of which a mechanism makes none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/data/dataset.h"
#include "sotto/mechanism/spec.h"

namespace sotto {

inline constexpr std::size_t kMinRecordsOfACode = 10;

// `centroids` in rows of `dimension`; `code_of` each auxiliary record. In the file the decoder takes, for k codes, d
// dimensions and records of w values, 4·(d + 1)·w bytes or 4·(k·(d + 1) + (k + 1)·w), whichever is less. Fails when
// no code has enough records or a value of the data is not finite.
Result<Decoder> fit_code_decoder(std::span<const float> centroids, std::size_t dimension, const Dataset& auxiliary,
                                 std::span<const std::uint32_t> code_of);

}  // namespace sotto
