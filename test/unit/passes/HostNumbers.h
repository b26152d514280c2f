// What passes write for the host, worked out as C does it for a launch with numbers.
#pragma once

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "device/EvaluateExpr.h"
#include "emit/Emit.h"
#include "ir/Plan.h"
#include "ir/Verify.h"

namespace hone::passes {

// Numbers by name: "n", "p.width", "gridDim.x", "blockDim.y", "globalOffset.x"; pointers by their address.
using HostNumbers = std::map<std::string, int64_t>;

// "p.size.x" of a place made of variables and fields; empty for any other.
inline std::string pathOf(const ir::ExprPtr& place) {
  if (const auto* var = ir::as<ir::VarRef>(place)) return var->var->name;
  const auto* field = ir::as<ir::Member>(place);
  const std::string base = field ? pathOf(field->base) : "";
  return base.empty() ? "" : base + "." + field->base->type->record->fields[field->field].name;
}

// Nothing where the expression is null or names what there is no number for.
inline std::optional<int64_t> valueOf(const ir::ExprPtr& e, const HostNumbers& numbers) {
  auto find = [&](const std::string& name) -> std::optional<device::Number> {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional(device::wholeNumber(found->second));
  };
  device::ExprNames names;
  names.place = [&](const ir::ExprPtr& place) { return find(pathOf(place)); };
  names.coord = [&](const ir::Coord& c) -> std::optional<device::Number> {
    const std::string axis = std::string(".") + "xyz"[c.axis];
    if (c.kind == ir::CoordKind::GridDim) return find("gridDim" + axis);
    if (c.kind == ir::CoordKind::BlockDim) return find("blockDim" + axis);
    if (c.kind == ir::CoordKind::GlobalOffset) return find("globalOffset" + axis);
    return std::nullopt;
  };
  const auto value = device::evaluate(e, names);
  return value ? std::optional(value->asWhole()) : std::nullopt;
}

inline bool holds(const ir::ExprPtr& condition, const HostNumbers& numbers) {
  const auto value = valueOf(condition, numbers);
  EXPECT_TRUE(value) << "no value";
  return value && *value != 0;
}

inline std::string textOf(const ir::ExprPtr& e) {
  return e ? emit::emitExpr(e, ir::Language::Cuda) : "nothing";
}

// A kernel with its model for one block and the launch that the original makes.
struct ModelledLaunch {
  explicit ModelledLaunch(const std::string& source, const std::array<unsigned, 3>& block = {256, 1, 1},
                          bool isOpenCL = false)
      : kernel(affine::kernelOf(source, isOpenCL)),
        model(affine::buildModel(kernel, block)),
        launch(std::get<ir::LaunchStep>(ir::originalPlan(kernel)->steps[0])) {}

  ir::KernelPtr kernel;
  affine::KernelModel model;
  ir::LaunchStep launch;

  affine::Poly symbol(const std::string& name) const {
    const auto found = model.atoms->findSymbol(name);
    EXPECT_TRUE(found) << "no symbol " << name;
    return found ? affine::Poly::atom(*found) : affine::Poly();
  }
  const ir::ExprPtr& argument(const std::string& parameter) const {
    for (size_t i = 0; i < kernel->params.size(); ++i)
      if (kernel->params[i]->name == parameter) return launch.args[i];
    ADD_FAILURE() << "no parameter " << parameter;
    return launch.args[0];
  }
  affine::ArrayId array(const std::string& name) const {
    for (const affine::ArrayId i : model.arrays.ids())
      if (model.arrays[i].name == name) return i;
    ADD_FAILURE() << "no array " << name;
    return {};
  }
  std::set<unsigned> allRequirements() const {
    std::set<unsigned> all;
    for (unsigned r = 0; r < model.requirements.size(); ++r) all.insert(r);
    return all;
  }
};

}  // namespace hone::passes
