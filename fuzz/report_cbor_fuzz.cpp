// Any bytes as a report in CBOR: refused in words, or the one encoding of the integers read from it, whose end is
// known.
#include "report_codecs.h"
#include "sotto/data/report_framing.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sotto;
  static const ReportCodec kCodecs[] = {fuzz::codec_of(false), fuzz::codec_of(true)};
  const std::span bytes(data, size);
  const auto header = read_cbor_header(bytes);
  const auto length = cbor_report_length(bytes);
  for (const ReportCodec& codec : kCodecs) {
    std::vector<std::int64_t> values(codec.fields().size(), -7777);
    if (!fuzz::settled(codec.read_cbor(bytes, values), codec, values)) continue;
    fuzz::require(header && *header == codec.header());
    fuzz::require(length == size);
    std::string written;
    codec.append_cbor(values, written);
    fuzz::require(std::equal(bytes.begin(), bytes.end(), written.begin(), written.end(),
                             [](std::uint8_t a, char b) { return a == static_cast<std::uint8_t>(b); }));
  }
  return 0;
}
