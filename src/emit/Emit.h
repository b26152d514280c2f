// IR to CUDA and OpenCL text.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ir/Kernel.h"

namespace hone::emit {

struct EmitError {
  std::string reason;  // "OpenCL has no __match_any_sync"
  ir::SourceLoc loc;
};

struct EmitResult {
  std::string text;               // formatted
  std::vector<EmitError> errors;  // not empty: text must not be used
  bool ok() const { return errors.empty(); }
};

struct EmitOptions {
  ir::Language language = ir::Language::Cuda;
  bool keepNamedConstants = true;  // print names of macros, constexprs and typedefs; false when they are out
                                   // of scope at the destination
  std::set<std::string> macros = {};  // in force at the destination: variables and constants get other names
  std::set<std::string> arithmeticMacros = {};  // of these, those that #if can compare with a number
  unsigned indent = 2;                          // columns per level
  bool useTabs = false;
  unsigned baseIndent = 0;  // levels the text starts at
  std::string newline = "\n";
  // Before each statement that came from this file, a line that says from which of its lines: `//@ 12`;
  // empty: none.
  std::string lineNotesOf = {};
};

// What begins such a line.
inline constexpr const char* lineNote = "//@ ";

// `{ … }` of a kernel, to stand where the original body stood: names of types, functions, macros and globals
// as in the source.
EmitResult emitBody(const ir::Kernel& kernel, const EmitOptions& options);

// A whole file that stands alone: records, globals, constants, device functions and kernels, in either
// language.
EmitResult emitModule(const ir::Module& module, const EmitOptions& options);

// One expression or type, for messages and `hone explain`.
std::string emitExpr(const ir::ExprPtr& e, ir::Language language);
std::string emitType(const ir::TypePtr& type, ir::Language language);

// Pretty-prints with libFormat in a pinned style; the only place that knows libFormat.
std::string formatCode(const std::string& text, const EmitOptions& options);

}  // namespace hone::emit
