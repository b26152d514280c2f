#include "cli/commands/Command.h"

int main(int argc, char** argv) { return hone::cli::runHone(argc, argv); }
