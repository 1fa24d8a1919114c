// The functions of sotto.h about releases.
#include <algorithm>
#include <span>
#include <utility>

#include "sotto/client/border.h"
#include "sotto/client/encoded_reports.h"
#include "sotto/client/handles.h"
#include "sotto/client/options.h"
#include "sotto/client/words.h"

using sotto::client::guarded;
using sotto::client::missing;

sotto_status sotto_release_open(const sotto_mechanism* mechanism, const sotto_release_options* options,
                                sotto_release** release) {
  if (release != nullptr) *release = nullptr;
  return guarded([&]() -> sotto::Status {
    if (release == nullptr) return missing("release");
    if (mechanism == nullptr) return missing("mechanism");
    const auto parameters = sotto::client::read_release_options(options);
    if (!parameters) return parameters.error();
    auto opened = mechanism->mechanism.release(*parameters, sotto::InexactChannels::kRefuse);
    if (!opened) return opened.error();
    std::string words = sotto::client::to_text(describe(*opened));
    *release = new sotto_release{std::move(*opened), std::move(words)};
    return {};
  });
}

void sotto_release_free(sotto_release* release) { delete release; }

const char* sotto_release_description(const sotto_release* release) {
  return release == nullptr ? nullptr : release->words.c_str();
}

int32_t sotto_release_takes_labels(const sotto_release* release) {
  return release != nullptr && release->release.takes_labels() ? 1 : 0;
}

size_t sotto_release_report_size(const sotto_release* release, sotto_format format) {
  return release == nullptr ? 0 : sotto::client::report_size(release->release.codec(), format);
}

sotto_status sotto_privatize(const sotto_release* release, const float* values, size_t value_count,
                             const int32_t* labels, size_t label_count, sotto_format format, void* reports,
                             size_t reports_size) {
  return guarded(reports, reports_size, [&]() -> sotto::Status {
    if (release == nullptr) return missing("release");
    if (values == nullptr) return missing("values");
    if (labels == nullptr && label_count > 0) return missing("labels");
    if (reports == nullptr) return missing("reports");
    const size_t size = sotto_release_report_size(release, format);
    if (size == 0) return sotto::refuse("format: neither SOTTO_CBOR nor SOTTO_NDJSON");
    const size_t count = std::max<size_t>(1, value_count / release->release.record_length());
    const std::span known_labels(labels, label_count);
    if (sotto::Status status = release->release.check_input(value_count, known_labels, count); !status) return status;
    if (reports_size / size != count || reports_size % size != 0)
      return sotto::refuse("reports_size: must be " + std::to_string(count) + " times " + std::to_string(size) +
                           ", got " + std::to_string(reports_size));
    return sotto::client::privatize_into(release->release, {values, value_count}, known_labels, format,
                                         {static_cast<std::uint8_t*>(reports), reports_size});
  });
}
