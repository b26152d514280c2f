// The kernels of one source file as byte code, as a program built for the embedded device carries them.
#pragma once

#include "sim/bytecode/Program.h"

namespace hone::sim {

struct BundledKernel {
  std::string linkageName;  // in object files
  std::string name;         // as the user writes it, template arguments included
  std::string reason;       // why it cannot run; then there is no program
  std::string file;         // and line of the reason
  uint32_t line = 0;
  std::vector<uint8_t> program;  // as write(Program) makes it
};

struct Bundle {
  std::string source;  // the file it was made from
  std::vector<BundledKernel> kernels;
};

std::vector<uint8_t> writeBundle(const Bundle& bundle);
// `data` begins with a bundle, which says itself how long it is. Throws hone::Error when it does not.
Bundle readBundle(const uint8_t* data);

}  // namespace hone::sim
