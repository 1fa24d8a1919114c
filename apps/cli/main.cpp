// sotto: learns local differential privacy. One subcommand per verb; see `sotto --help`.
#include <iostream>

#include "command.h"

namespace {

using namespace sotto;
using namespace sotto::cli;

int fail(const std::string& command, const Error& error) {
  std::cerr << "sotto" << (command.empty() ? "" : " " + command) << ": " << error.message << '\n';
  return error.code == ErrorCode::kInvalidArgument ? kMisused : kFailed;
}

std::string chosen_command(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? "" : chosen.front()->get_name();
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "sotto learns local differential privacy: train a mechanism, run it where the data is, learn from the reports.",
      "sotto"};
  app.require_subcommand(1);
  int exit_code = 0;
  add_train(app);
  add_inspect(app);
  add_plan(app);
  add_privatize(app);
  add_reports(app);
  add_learn(app);
  add_evaluate(app);
  add_tune(app);
  add_audit(app, exit_code);
  add_data(app);
  add_reproduce(app);
  add_demo(app);
  add_version(app);
  add_completion(app);
  add_man(app);
  // Set last: subcommands inherit a footer that is there when they are added.
  app.footer("Each command has --help with an example. Exit codes: 0 done, 1 failed, 2 misused, 3 claim broken.");
  try {
    app.parse(argc, argv);
    std::cout.flush();
    if (!std::cout) return fail(chosen_command(app), {ErrorCode::kIo, "cannot write to standard output"});
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kMisused;
  } catch (const Failure& failure) {
    return fail(chosen_command(app), failure.error());
  } catch (const std::exception& error) {
    return fail(chosen_command(app), {ErrorCode::kIo, error.what()});
  }
}
