#include "sotto/report/results_file.h"

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

#include "sotto/wire/atomic_file.h"
#include "sotto/wire/json_check.h"

namespace sotto {
namespace {

using Json = nlohmann::ordered_json;

double finite(double number) {
  if (!std::isfinite(number)) throw Failure({ErrorCode::kInvalidArgument, "results hold a number that is not finite"});
  return number;
}

Json json_of(MaybeEpsilon epsilon) { return epsilon ? Json(finite(*epsilon)) : Json(nullptr); }

Json json_of(const ResultRow& row) {
  for (const double value : row.values) finite(value);
  return {{"mechanism", row.mechanism}, {"channel", row.channel},
          {"learner", row.learner},     {"epsilon", json_of(row.epsilon)},
          {"metric", row.metric},       {"mean", finite(row.mean)},
          {"sd", finite(row.sd)},       {"trials", row.trials},
          {"values", row.values},       {"commit", row.commit}};
}

Json json_of(const PublishedRow& row) {
  return {{"mechanism", row.mechanism},
          {"source", row.source},
          {"epsilon", json_of(row.epsilon)},
          {"metric", row.metric},
          {"mean", finite(row.mean)}};
}

Json json_of(const Curve& curve) {
  Json points = Json::array();
  for (const CurvePoint& point : curve.points) points.push_back({json_of(point.epsilon), finite(point.value)});
  return {{"name", curve.name}, {"metric", curve.metric}, {"points", std::move(points)}};
}

Json json_of(const std::string& note) { return note; }

template <typename Item>
std::string lines_of(const char* key, const std::vector<Item>& items) {
  std::string text = "  \"" + std::string(key) + "\": [";
  for (std::size_t i = 0; i < items.size(); ++i) text += (i == 0 ? "\n    " : ",\n    ") + json_of(items[i]).dump();
  return text + (items.empty() ? "]" : "\n  ]");
}

MaybeEpsilon epsilon_of(const Json& value) {
  if (value.is_null()) return std::nullopt;
  return value.get<double>();
}

ResultRow result_row_of(const Json& row) {
  return {row.at("mechanism"), row.at("channel"),      row.at("learner"), epsilon_of(row.at("epsilon")),
          row.at("metric"),    row.at("mean"),         row.at("sd"),      row.at("trials"),
          row.at("values"),    row.value("commit", "")};  // older files name the commits of all rows together
}

PublishedRow published_row_of(const Json& row) {
  return {row.at("mechanism"), row.at("source"), epsilon_of(row.at("epsilon")), row.at("metric"), row.at("mean")};
}

Curve curve_of(const Json& curve) {
  Curve result = {curve.at("name"), curve.at("metric"), {}};
  for (const Json& point : curve.at("points")) result.points.push_back({epsilon_of(point.at(0)), point.at(1)});
  return result;
}

Results results_of(const Json& document) {
  Results results = {document.at("name"),
                     document.at("title"),
                     document.at("command"),
                     document.at("commit"),
                     document.at("date"),
                     document.at("seconds"),
                     {},
                     {},
                     {},
                     document.at("notes")};
  for (const Json& row : document.at("rows")) results.rows.push_back(result_row_of(row));
  for (const Json& row : document.at("published")) results.published.push_back(published_row_of(row));
  for (const Json& curve : document.at("ceilings")) results.ceilings.push_back(curve_of(curve));
  return results;
}

}  // namespace

Result<std::string> results_to_json(const Results& results) {
  try {
    std::string text = "{\n";
    const auto add = [&](const char* key, const Json& value) {
      text += "  \"" + std::string(key) + "\": " + value.dump() + ",\n";
    };
    add("name", results.name);
    add("title", results.title);
    add("command", results.command);
    add("commit", results.commit);
    add("date", results.date);
    add("seconds", finite(results.seconds));
    text += lines_of("rows", results.rows) + ",\n" + lines_of("published", results.published) + ",\n";
    return text + lines_of("ceilings", results.ceilings) + ",\n" + lines_of("notes", results.notes) + "\n}\n";
  } catch (const Failure& failure) {
    return failure.error();
  } catch (const Json::exception&) {
    return refuse("results hold text that is not UTF-8");
  }
}

Result<Results> results_from_json(std::string_view text) {
  if (const Status status = check_json(text); !status) return Error{ErrorCode::kCorruptFile, status.error().message};
  try {
    return results_of(Json::parse(text));
  } catch (const Json::exception& exception) {  // names the key or the type, not the content
    return Error{ErrorCode::kCorruptFile, std::string("these are not results: ") + exception.what()};
  }
}

Status write_text(const std::filesystem::path& path, std::string_view text) {
  return write_file_atomically(path, std::as_bytes(std::span(text)));
}

Status write_results(const std::filesystem::path& path, const Results& results) {
  const auto text = results_to_json(results);
  if (!text) return text.error();
  return write_text(path, *text);
}

Result<Results> read_results(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  if (!in.is_open() || in.bad()) return Error{ErrorCode::kIo, "cannot read " + path.string()};
  auto results = results_from_json(text);
  if (!results) return Error{results.error().code, path.string() + ": " + results.error().message};
  return results;
}

}  // namespace sotto
