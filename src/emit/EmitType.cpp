#include <cctype>

#include "emit/Emit.h"
#include "emit/TypeText.h"

namespace hone::emit {

using namespace ir;

std::string pointeeSpace(Space space, Language language) {
  if (language == Language::Cuda) return "";
  switch (space) {
    case Space::Global: return "__global";
    case Space::Shared: return "__local";
    case Space::Constant: return "__constant";
    case Space::Private: return "__private";
    case Space::Generic: return "";
  }
  return "";
}

std::string TypeText::scalarName(const Type& t) const {
  const bool cuda = language == Language::Cuda;
  switch (t.kind) {
    case TypeKind::Void: return "void";
    case TypeKind::Bool: return "bool";
    case TypeKind::Int:
      switch (t.bits) {
        case 8:
          if (t.isPlainChar) return "char";
          return t.isSigned ? (cuda ? "signed char" : "char") : (cuda ? "unsigned char" : "uchar");
        case 16: return t.isSigned ? "short" : (cuda ? "unsigned short" : "ushort");
        case 32: return t.isSigned ? "int" : (cuda ? "unsigned int" : "uint");
        case 64: return t.isSigned ? (cuda ? "long long" : "long") : (cuda ? "unsigned long long" : "ulong");
        case 128:
          if (cuda) return t.isSigned ? "__int128" : "unsigned __int128";
          break;
        default: break;
      }
      problem = "no integer type of " + std::to_string(t.bits) + " bits";
      return "int";
    case TypeKind::Float: return t.bits == 64 ? "double" : t.bits == 32 ? "float" : cuda ? "__half" : "half";
    case TypeKind::BFloat:
      if (!cuda) problem = "OpenCL has no bfloat16 type";
      return "__nv_bfloat16";
    default: return "";
  }
}

std::string TypeText::vectorName(const Type& element, unsigned lanes) const {
  std::string n = std::to_string(lanes);
  const bool cuda = language == Language::Cuda;
  if (cuda && lanes > 4) problem = "CUDA has no vectors of " + n + " elements";
  if (cuda && lanes != 2 && element.isFloating() && element.bits == 16)
    problem = "CUDA has no vectors of " + n + " halves";
  if (!cuda && lanes == 1) problem = "OpenCL has no vectors of one element";
  switch (element.kind) {
    case TypeKind::Int: {
      std::string u = element.isSigned ? "" : "u";
      const char* base = element.bits == 8    ? "char"
                         : element.bits == 16 ? "short"
                         : element.bits == 32 ? "int"
                         : cuda               ? "longlong"
                                              : "long";
      return u + base + n;
    }
    case TypeKind::Float:
      if (element.bits == 16) return (cuda ? "__half" : "half") + n;
      return (element.bits == 64 ? "double" : "float") + n;
    case TypeKind::BFloat:
      if (!cuda) problem = "OpenCL has no bfloat16 type";
      return "__nv_bfloat16" + n;
    default: problem = "no vector type of " + str(element); return "int" + n;
  }
}

std::string TypeText::vectorMaker(const Type& v) const {
  std::string own = vectorName(*v.element, v.lanes);
  if (language == Language::Cuda && v.element->isFloating() && v.element->bits == 16)
    return v.element->is(TypeKind::Float) ? "half2" : "bfloat162";
  if (useSpelling && v.element->is(TypeKind::Int) && v.element->bits == 64) {
    const std::string kin = (v.element->isSigned ? "long" : "ulong") + std::to_string(v.lanes);
    if (v.spelling == kin) return kin;
  }
  return own;
}

std::pair<std::string, std::string> TypeText::split(const TypePtr& type, const std::string& name,
                                                    bool isConst, bool isVolatile) const {
  std::string declarator = name, space;
  bool pointerLast = false;
  TypePtr t = type;
  std::string base;
  while (true) {
    std::string hint = spellingOf ? spellingOf(*t) : useSpelling ? t->spelling : std::string();
    if (t->is(TypeKind::Handle)) hint = t->spelling;
    if (!hint.empty()) {
      base = hint;
      break;
    }
    if (t->is(TypeKind::Array)) {
      if (pointerLast) declarator.insert(0, "(").append(")");
      pointerLast = false;
      // Extents of nested arrays follow the name from the outermost on.
      std::string extent = t->extentForm && formText ? formText(*t) : std::string();
      if (extent.empty() && extentName && !t->extentName.empty() && extentName(t->extentName))
        extent = t->extentName;
      if (extent.empty()) extent = std::to_string(t->extent);
      declarator += "[" + (t->extent < 0 ? "" : extent) + "]";
      t = t->element;
      continue;
    }
    if (t->isPointer()) {
      std::string q = "*";
      auto add = [&](const std::string& word) { q += (q.size() > 1 ? " " : "") + word; };
      if (!space.empty()) add(space);
      if (isConst) add("const");
      if (isVolatile) add("volatile");
      if (t->isRestrict) add(language == Language::Cuda ? "__restrict__" : "restrict");
      if (q.size() > 1 && !declarator.empty() && declarator[0] != '*') q += " ";
      declarator.insert(0, q);
      pointerLast = true;
      space = pointeeSpace(t->space, language);
      if (t->element->is(TypeKind::Handle)) space.clear();
      isConst = t->isConst;
      isVolatile = t->isVolatile;
      t = t->element;
      continue;
    }
    if (t->is(TypeKind::Vector))
      base = vectorName(*t->element, t->lanes);
    else if (t->is(TypeKind::Struct))
      base = recordName ? recordName(*t->record) : t->record->name;
    else
      base = scalarName(*t);
    break;
  }
  std::string lead = space;
  auto add = [&](const std::string& word) { lead += (lead.empty() ? "" : " ") + word; };
  if (isConst) add("const");
  if (isVolatile) add("volatile");
  add(base);
  return {lead, declarator};
}

std::string TypeText::declaration(const TypePtr& type, const std::string& name, bool isConst,
                                  bool isVolatile) const {
  auto [lead, declarator] = split(type, name, isConst, isVolatile);
  if (declarator.empty()) return lead;
  if (declarator[0] == '*' || declarator[0] == '&') {  // float* p
    size_t stars = declarator.find_first_not_of("*&");
    if (stars == std::string::npos) return lead + declarator;
    return lead + declarator.substr(0, stars) + " " +
           declarator.substr(declarator[stars] == ' ' ? stars + 1 : stars);
  }
  if (declarator[0] == '(' && name.empty()) return lead + " " + declarator;
  return lead + (declarator[0] == '[' ? "" : " ") + declarator;
}

std::string emitType(const TypePtr& type, Language language) {
  TypeText text;
  text.language = language;
  return text.type(type);
}

}  // namespace hone::emit
