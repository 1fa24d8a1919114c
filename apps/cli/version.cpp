#include <iostream>
#include <memory>

#include "command.h"
#include "sotto/mechanism/spec_file.h"

namespace sotto::cli {

void add_version(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App& command = *app.add_subcommand("version", "Print the version");
  add_json_flag(command, *json);
  command.footer("Example: sotto version --json");
  command.callback([json] {
    if (*json)
      std::cout << nlohmann::json{{"version", SOTTO_VERSION}, {"format", kNewestFormat}}.dump() << '\n';
    else
      std::cout << "sotto " << SOTTO_VERSION << '\n';
  });
}

}  // namespace sotto::cli
