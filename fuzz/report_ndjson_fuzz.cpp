// Any text as a report in JSON: refused in words, or read as one that is written and read back the same.
#include "report_codecs.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sotto;
  static const ReportCodec kCodecs[] = {fuzz::codec_of(false), fuzz::codec_of(true)};
  const std::string_view line(reinterpret_cast<const char*>(data), size);
  const auto header = read_ndjson_header(line);
  for (const ReportCodec& codec : kCodecs) {
    std::vector<std::int64_t> values(codec.fields().size(), -7777);
    if (!fuzz::settled(codec.read_ndjson(line, values), codec, values)) continue;
    fuzz::require(header && *header == codec.header());
    std::string written;
    codec.append_ndjson(values, written);
    std::vector<std::int64_t> again(values.size());
    fuzz::require(codec.read_ndjson(written, again) && again == values);
  }
  return 0;
}
