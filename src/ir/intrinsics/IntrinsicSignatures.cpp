// Reads the type codes of IntrinsicTable.h against IR types, and picks names by them.
#include "ir/intrinsics/IntrinsicSignatures.h"

#include <array>

#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {
namespace {

// How far an argument may be from its parameter.
enum class Fit : uint8_t {
  Exact,
  SameWidth,  // integers of one width and either sign
  Converted   // any arithmetic conversion, for a call whose result is known
};

TypePtr scalarOfCode(char code) {
  switch (code) {
    case 'v': return voidType();
    case 'b': return boolType();
    case 'c': return intType(8, true);
    case 'C': return intType(8, false);
    case 's': return intType(16, true);
    case 'S': return intType(16, false);
    case 'i': return intType(32, true);
    case 'u': return intType(32, false);
    case 'l': return intType(64, true);
    case 'L': return intType(64, false);
    case 'h': return floatType(16);
    case 'f': return floatType(32);
    case 'd': return floatType(64);
    case 'B': return bfloatType();
    case 'H': return vectorType(floatType(16), 2);
    case 'N': return vectorType(bfloatType(), 2);
    case 'D': return vectorType(floatType(32), 2);
    case 'G': return vectorType(floatType(64), 2);
    default: return nullptr;
  }
}

bool isType(const Type& type, char code) {
  auto isInt = [&](unsigned bits, bool isSigned) {
    return type.kind == TypeKind::Int && type.bits == bits && type.isSigned == isSigned;
  };
  auto isPair = [&](char element) {
    return type.kind == TypeKind::Vector && type.lanes == 2 && isType(*type.element, element);
  };
  switch (code) {
    case 'v': return type.kind == TypeKind::Void;
    case 'b': return type.kind == TypeKind::Bool;
    case 'c': return isInt(8, true);
    case 'C': return isInt(8, false);
    case 's': return isInt(16, true);
    case 'S': return isInt(16, false);
    case 'i': return isInt(32, true);
    case 'u': return isInt(32, false);
    case 'l': return isInt(64, true);
    case 'L': return isInt(64, false);
    case 'h': return type.kind == TypeKind::Float && type.bits == 16;
    case 'f': return type.kind == TypeKind::Float && type.bits == 32;
    case 'd': return type.kind == TypeKind::Float && type.bits == 64;
    case 'B': return type.kind == TypeKind::BFloat;
    case 'H': return isPair('h');
    case 'N': return isPair('B');
    case 'D': return isPair('f');
    case 'G': return isPair('d');
    case 't': return type.kind == TypeKind::Handle;
    case 'A': return type.kind == TypeKind::Int;
    case 'F': return type.kind == TypeKind::Float;
    case 'y': return true;
    default: return false;
  }
}

bool inSet(const Type& type, std::string_view set) {
  bool isVector = false;
  if (type.kind == TypeKind::Vector && type.lanes > 1) {
    isVector = set.find('+') != std::string_view::npos ||
               (set.find('<') != std::string_view::npos && type.lanes <= 4);
    if (set.find('=') != std::string_view::npos)
      isVector = (type.lanes == 2 || type.lanes == 4) && type.lanes * type.element->bits <= 128;
  }
  for (char code : set)
    if (isType(type, code) || (isVector && isType(*type.element, code))) return true;
  return false;
}

TypePtr scalarOf(const TypePtr& type) { return type->kind == TypeKind::Vector ? type->element : type; }

TypePtr withLanesOf(TypePtr scalar, const Type& like) {
  return like.kind == TypeKind::Vector ? vectorType(std::move(scalar), like.lanes) : scalar;
}

// The type of a code that follows from the one bound to T; null when there is none (twice as wide as 64
// bits).
TypePtr derivedFrom(char code, const TypePtr& bound) {
  TypePtr scalar = scalarOf(bound);
  switch (code) {
    case 'T': return bound;
    case 'E': return scalar;
    case 'U': return withLanesOf(intType(scalar->bits, false), *bound);
    case 'Z': return withLanesOf(intType(scalar->bits, true), *bound);
    case 'P': return withLanesOf(floatType(scalar->bits), *bound);
    case 'I': return withLanesOf(int32(), *bound);
    case 'R':
      return bound->kind == TypeKind::Vector ? vectorType(intType(scalar->bits, true), bound->lanes)
                                             : int32();
    case 'W':
      return scalar->bits < 64 ? withLanesOf(intType(scalar->bits * 2u, scalar->isSigned), *bound) : nullptr;
    default: return nullptr;
  }
}

bool isDerived(char code) { return std::string_view("TEUZIRWP").find(code) != std::string_view::npos; }

bool near(const Type& arg, const Type& param, Fit fit) {
  if (sameType(arg, param)) return true;
  if (fit == Fit::Exact) return false;
  if (arg.kind == TypeKind::Int && param.kind == TypeKind::Int && arg.bits == param.bits) return true;
  return fit == Fit::Converted && arg.isArithmetic() && param.isArithmetic();
}

// Matches one parameter code (after any '*'); binds T when it meets it first. Returns the parameter's type,
// null: no match.
TypePtr matchCode(char code, const IntrinsicName& name, const TypePtr& arg, TypePtr& bound, Fit fit) {
  if (code == 'y') return arg;
  if (code == 't') return arg->kind == TypeKind::Handle ? arg : nullptr;
  if (code == 'T' && !bound) {
    if (!inSet(*arg, name.set)) return nullptr;
    return bound = arg;
  }
  if (isDerived(code)) {
    if (!bound) return nullptr;
    TypePtr want = derivedFrom(code, bound);
    return want && near(*arg, *want, fit) ? want : nullptr;
  }
  if (isType(*arg, code)) return arg;
  TypePtr want = scalarOfCode(code);
  return want && fit != Fit::Exact && near(*arg, *want, fit) ? want : nullptr;
}

TypePtr resultOf(const IntrinsicName& name, const TypePtr& bound) {
  if (name.result.empty() || name.result == "y" || name.result == "t") return nullptr;
  if (isDerived(name.result[0])) return bound ? derivedFrom(name.result[0], bound) : nullptr;
  return scalarOfCode(name.result[0]);
}

// Fits the arguments to the signature, with T bound from `bound` when it is given, else by the first argument
// that shows it.
IntrinsicSignature fitArgs(const IntrinsicName& name, std::span<const TypePtr> args, TypePtr bound, Fit fit) {
  IntrinsicSignature out;
  if (!name.hasSignature || args.size() != name.minArgs) return out;
  size_t at = 0;
  for (const TypePtr& arg : args) {
    bool isPointer = name.params[at] == '*';
    if (isPointer) ++at;
    if (isPointer != arg->isPointer() && name.params[at] != 'y') return out;
    // What a pointer points to never converts.
    TypePtr match = matchCode(name.params[at++], name, isPointer ? arg->element : arg, bound,
                              isPointer ? Fit::Exact : fit);
    if (!match) return out;
    out.params.push_back(isPointer ? arg : match);
  }
  out.result = resultOf(name, bound);
  out.name = &name;
  return out;
}

std::string finishName(const IntrinsicName& name, const TypePtr& result) {
  size_t mark = name.name.find('$');
  if (mark == std::string_view::npos) return std::string(name.name);
  std::string type = result ? openclTypeName(*result) : "";
  if (type.empty()) return "";
  return std::string(name.name.substr(0, mark)) + type + std::string(name.name.substr(mark + 1));
}

bool resultAgrees(const IntrinsicSignature& s, const TypePtr& result) {
  return !result || !s.result || sameType(*s.result, *result);
}

}  // namespace

bool isOpenCLTypeName(std::string_view name) {
  static constexpr std::array<std::string_view, 11> scalars = {
      "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"};
  size_t digits = name.find_first_of("0123456789");
  std::string_view lanes = digits == std::string_view::npos ? "" : name.substr(digits);
  if (!lanes.empty() && lanes != "2" && lanes != "3" && lanes != "4" && lanes != "8" && lanes != "16")
    return false;
  std::string_view scalar = name.substr(0, digits);
  for (std::string_view s : scalars)
    if (s == scalar) return true;
  return false;
}

std::string openclTypeName(const Type& type) {
  if (type.kind == TypeKind::Vector) {
    std::string scalar = openclTypeName(*type.element);
    return scalar.empty() ? "" : scalar + std::to_string(type.lanes);
  }
  if (type.kind == TypeKind::Float) return type.bits == 16 ? "half" : type.bits == 32 ? "float" : "double";
  if (type.kind != TypeKind::Int) return "";
  const char* base = type.bits == 8 ? "char" : type.bits == 16 ? "short" : type.bits == 32 ? "int" : "long";
  return (type.isSigned ? "" : "u") + std::string(base);
}

bool acceptsExactly(const IntrinsicName& name, std::span<const TypePtr> args) {
  if (!name.hasSignature) return args.size() >= name.minArgs && args.size() <= name.maxArgs;
  return fitArgs(name, args, nullptr, Fit::Exact).name != nullptr;
}

IntrinsicSignature instantiate(const IntrinsicName& name, const TypePtr& bound, Space space) {
  IntrinsicSignature out;
  if (!name.hasSignature || (bound ? !inSet(*bound, name.set) : !name.set.empty())) return out;
  for (size_t at = 0; at < name.params.size(); ++at) {
    bool isPointer = name.params[at] == '*';
    if (isPointer) ++at;
    char code = name.params[at];
    TypePtr type = isDerived(code) ? derivedFrom(code, bound) : code == 'y' ? int32() : scalarOfCode(code);
    if (!type) return out;
    out.params.push_back(isPointer ? pointerType(type, space) : type);
  }
  out.result = resultOf(name, bound);
  out.name = &name;
  return out;
}

IntrinsicSignature signatureFor(const Intrinsic& fn, Language language, std::span<const TypePtr> args,
                                const TypePtr& result) {
  for (Fit fit : {Fit::Exact, Fit::SameWidth}) {
    for (bool wantResult : {true, false}) {
      for (const IntrinsicName& name : fn.names(language)) {
        if (name.result == "y" || name.name.find('$') != std::string_view::npos) continue;
        IntrinsicSignature s = fitArgs(name, args, nullptr, fit);
        if (s.name && (!wantResult || resultAgrees(s, result))) return s;
      }
      // Two names that differ in the result alone (__float_as_int, __float_as_uint) are no substitutes for
      // one another.
      if (fn.cls == IntrinsicClass::Bits || fn.cls == IntrinsicClass::Convert) break;
    }
  }
  // Where the operand's type is the point, converting it first would change the meaning.
  if (!result || fn.cls == IntrinsicClass::Bits || fn.cls == IntrinsicClass::Convert) return {};
  for (const IntrinsicName& name : fn.names(language)) {
    bool boundByResult = name.result == "T" && inSet(*result, name.set);
    if (!name.set.empty() && !boundByResult) continue;
    IntrinsicSignature s = fitArgs(name, args, boundByResult ? result : nullptr, Fit::Converted);
    if (s.name && s.result && sameType(*s.result, *result)) return s;
  }
  return {};
}

std::string nameFor(const Intrinsic& fn, Language language, std::span<const TypePtr> args,
                    const TypePtr& result) {
  if (IntrinsicSignature s = signatureFor(fn, language, args, result); s.name)
    return finishName(*s.name, result);
  for (const IntrinsicName& name : fn.names(language)) {
    bool isDerivedName = name.name.find('$') != std::string_view::npos;
    if ((isDerivedName || !name.hasSignature) && acceptsExactly(name, args)) return finishName(name, result);
  }
  return "";
}

std::string nameFor(const Intrinsic& fn, Language language, const Type& operand) {
  TypePtr type = std::make_shared<Type>(operand);
  for (Fit fit : {Fit::Exact, Fit::SameWidth}) {
    for (const IntrinsicName& name : fn.names(language)) {
      if (name.name.find('$') != std::string_view::npos) continue;
      if (!name.hasSignature) return std::string(name.name);
      if (name.params.empty()) continue;
      bool isPointer = name.params[0] == '*';
      if (isPointer != operand.isPointer() && name.params[0] != 'y') continue;
      TypePtr bound;
      if (matchCode(name.params[isPointer ? 1 : 0], name, isPointer ? type->element : type, bound, fit))
        return std::string(name.name);
    }
  }
  return "";
}

}  // namespace hone::ir
