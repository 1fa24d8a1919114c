// Completion scripts and the manual page, both read off the commands themselves so that they cannot fall behind.
#include <iostream>
#include <memory>
#include <sstream>

#include "command.h"

namespace sotto::cli {
namespace {

std::string path_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? command.get_name() : path_of(*parent) + " " + command.get_name();
}

// The command and everything below it, depth first.
void collect(const CLI::App& command, std::vector<const CLI::App*>& all) {
  all.push_back(&command);
  for (const CLI::App* child : command.get_subcommands([](const CLI::App*) { return true; })) collect(*child, all);
}

std::string words_after(const CLI::App& command) {
  std::string words;
  for (const CLI::App* child : command.get_subcommands([](const CLI::App*) { return true; }))
    words += child->get_name() + " ";
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) words += "--" + name + " ";
  return words;
}

void print_completion(const CLI::App& root) {
  std::vector<const CLI::App*> all;
  collect(root, all);
  std::cout << "# bash; zsh after `autoload bashcompinit && bashcompinit`. Load: source <(sotto completion)\n"
               "_sotto() {\n"
               "  local path=sotto word words\n"
               "  for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
               "    case \"$path $word\" in\n";
  for (const CLI::App* command : all)
    if (command->get_parent() != nullptr)
      std::cout << "      '" << path_of(*command) << "') path='" << path_of(*command) << "' ;;\n";
  std::cout << "    esac\n  done\n  case \"$path\" in\n";
  for (const CLI::App* command : all)
    std::cout << "    '" << path_of(*command) << "') words='" << words_after(*command) << "' ;;\n";
  std::cout << "  esac\n"
               "  COMPREPLY=($(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\"))\n"
               "}\n"
               "complete -o default -F _sotto sotto\n";
}

// Roff treats leading dots and backslashes as its own.
std::string escape(const std::string& text) {
  std::istringstream lines(text);
  std::string line, escaped;
  while (std::getline(lines, line)) {
    for (std::size_t at = 0; (at = line.find('\\', at)) != std::string::npos; at += 2) line.insert(at, "\\");
    if (!line.empty() && (line[0] == '.' || line[0] == '\'')) line.insert(0, "\\&");
    escaped += line + "\n";
  }
  return escaped;
}

// Not command.help(), which answers for whichever subcommand was called.
std::string help_of(const CLI::App& command) {
  return command.get_formatter()->make_help(&command, path_of(command), CLI::AppFormatMode::Normal);
}

void print_man(const CLI::App& root) {
  std::vector<const CLI::App*> all;
  collect(root, all);
  std::cout << ".TH SOTTO 1 \"\" \"sotto " << SOTTO_VERSION
            << "\"\n.SH NAME\nsotto \\- learn local differential privacy\n"
            << ".SH DESCRIPTION\n"
            << escape(root.get_description());
  for (const CLI::App* command : all)
    std::cout << ".SH " << path_of(*command) << "\n.nf\n" << escape(help_of(*command)) << ".fi\n";
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("completion", "Print a completion script for bash and zsh");
  command.footer("Example: source <(sotto completion)");
  command.callback([&app] { print_completion(app); });
}

void add_man(CLI::App& app) {
  CLI::App& command = *app.add_subcommand("man", "Print the manual page");
  command.footer("Example: sotto man > sotto.1");
  command.callback([&app] { print_man(app); });
}

}  // namespace sotto::cli
