#include "cli/commands/Command.h"
#include "cli/commands/LargeStack.h"

int main(int argc, char** argv) {
  std::string command;
  for (int i = 1; i < argc; ++i) command += (i > 1 ? " " : "") + std::string(argv[i]);
  return hone::cli::onLargeStack(command, [&] { return hone::cli::runHone(argc, argv); });
}
