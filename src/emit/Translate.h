// Turns a module into one that a single file of a language can say: no classes with functions, no
// inheritance, and when the language is not the module's own, that language's types, coordinates, functions
// and address spaces.
//
// Emission prints the result as it is, so importing the printed text gives the translated module again.
#pragma once

#include "emit/Emit.h"

namespace hone::emit {

struct Translation {
  ir::Module module;
  std::vector<EmitError> errors;   // what has no rendering
  std::vector<std::string> notes;  // what a caller of a kernel must know, one line each
};

Translation translate(const ir::Module& module, ir::Language to);

}  // namespace hone::emit
