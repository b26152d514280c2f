// Types and declarations as C text.
#pragma once

#include <functional>
#include <string>

#include "ir/Kernel.h"

namespace hone::emit {

struct TypeText {
  ir::Language language = ir::Language::Cuda;
  bool useSpelling = true;                                   // typedef names of the source are in scope
  std::function<std::string(const ir::Record&)> recordName;  // null: the record's own
  std::function<std::string(const ir::Type&)> spellingOf;    // null: the type's own hint
  std::function<bool(const std::string&)> extentName;        // may this text stand for an extent? null: never
  // How an extent with a form is written; null or empty: as a number.
  std::function<std::string(const ir::Type&)> formText;
  mutable std::string problem;  // set when a type has no text in the language

  // "const float* __restrict__ p"; with an empty name the type alone. `name` may be a declarator ("&r").
  std::string declaration(const ir::TypePtr& type, const std::string& name, bool isConst = false,
                          bool isVolatile = false) const;
  std::string type(const ir::TypePtr& t) const { return declaration(t, ""); }
  // The part before the declarator, and the declarator: "const float" and "*p", for several in one
  // declaration.
  std::pair<std::string, std::string> split(const ir::TypePtr& type, const std::string& name, bool isConst,
                                            bool isVolatile) const;
  // float4, uchar2, longlong2; sets `problem` when there is none.
  std::string vectorName(const ir::Type& element, unsigned lanes) const;
  // What follows make_: the vector's name, or the one of its kin that was written (long2 for longlong2).
  std::string vectorMaker(const ir::Type& vector) const;
  std::string scalarName(const ir::Type& t) const;
};

// "__global", "__shared__", …; empty where the language writes nothing.
std::string pointeeSpace(ir::Space space, ir::Language language);

}  // namespace hone::emit
