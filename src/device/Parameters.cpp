#include "device/Parameters.h"

#include <fmt/core.h>

namespace hone::device {

using namespace ir;

namespace {

std::string laneName(unsigned lane, unsigned lanes) {
  return lanes <= 4 ? fmt::format(".{}", "xyzw"[lane]) : fmt::format(".s{:x}", lane);
}

void addLeaves(std::vector<TypeLeaf>& out, const std::string& path, const TypePtr& type, uint64_t offset,
               bool isOpenCL) {
  switch (type->kind) {
    case TypeKind::Void: return;
    case TypeKind::Vector:
      for (unsigned lane = 0; lane < type->lanes; ++lane)
        addLeaves(out, path + laneName(lane, type->lanes), type->element,
                  offset + lane * sizeOf(*type->element, isOpenCL), isOpenCL);
      return;
    case TypeKind::Array:
      for (int64_t i = 0; i < type->extent; ++i)
        addLeaves(out, fmt::format("{}[{}]", path, i), type->element,
                  offset + static_cast<uint64_t>(i) * sizeOf(*type->element, isOpenCL), isOpenCL);
      return;
    case TypeKind::Struct: {
      uint64_t at = offset;
      for (const TypePtr& base : type->record->bases) {
        addLeaves(out, path, base, at, isOpenCL);
        at += sizeOf(*base, isOpenCL);
      }
      for (size_t f = 0; f < type->record->fields.size(); ++f) {
        const Field& field = type->record->fields[f];
        uint64_t place = f < type->record->offsets.size() ? type->record->offsets[f] : 0;
        if (field.isBitField()) {  // byte by byte of their storage unit
          const bool isFirst =
              f == 0 || !type->record->fields[f - 1].isBitField() || type->record->offsets[f - 1] != place;
          for (unsigned byte = 0; isFirst && byte < field.unitBytes; ++byte)
            out.push_back(
                {fmt::format("{}.{}#{}", path, field.name, byte), intType(8, false), offset + place + byte});
          continue;
        }
        addLeaves(out, path + "." + field.name, field.type, offset + place, isOpenCL);
      }
      return;
    }
    default: out.push_back({path, type, offset});
  }
}

}  // namespace

std::vector<TypeLeaf> typeLeaves(const TypePtr& type, bool isOpenCL) {
  std::vector<TypeLeaf> out;
  addLeaves(out, "", type, 0, isOpenCL);
  return out;
}

std::vector<ParameterLeaf> parameterLeaves(const Kernel& kernel) {
  std::vector<ParameterLeaf> out;
  for (unsigned p = 0; p < kernel.params.size(); ++p)
    for (const TypeLeaf& leaf : typeLeaves(kernel.params[p]->type, kernel.language == Language::OpenCL))
      out.push_back({kernel.params[p]->name + leaf.path, leaf.type, p, leaf.offset});
  return out;
}

std::string pathOf(const ExprPtr& place) {
  if (const auto* var = as<VarRef>(place)) return var->var->storage == Storage::Param ? var->var->name : "";
  if (const auto* member = as<Member>(place)) {
    std::string base = pathOf(member->base);
    const Type& type = *member->base->type;
    if (base.empty() || member->baseClass >= 0 || !type.is(TypeKind::Struct)) return base;
    if (member->field >= type.record->fields.size() || bitField(*place)) return "";
    return base + "." + type.record->fields[member->field].name;
  }
  if (const auto* lanes = as<Swizzle>(place)) {
    std::string base = pathOf(lanes->base);
    if (base.empty() || lanes->lanes.size() != 1) return "";
    return base + laneName(lanes->lanes[0], lanes->base->type->lanes);
  }
  if (const auto* element = as<Subscript>(place)) {
    std::string base = element->base->type->is(TypeKind::Array) ? pathOf(element->base) : "";
    if (base.empty()) return "";
    for (const ExprPtr& index : element->indices) {
      auto value = constantValue(index);
      if (!value) return "";
      base += fmt::format("[{}]", *value);
    }
    return base;
  }
  return "";
}

}  // namespace hone::device
