// Polynomials and conditions of a model as expressions that a kernel or a plan can compute.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "affine/KernelModel.h"

namespace hone::affine {

// The field behind a path such as ".size.x" of a place, the place itself where the path is empty; null where
// it has none.
ir::ExprPtr fieldAt(ir::ExprPtr place, std::string_view path);

// Where what symbols stand for is found: in the kernel itself, or on the host that launches it. Both give
// null for what is not there.
struct SymbolPlaces {
  std::function<ir::ExprPtr(const ir::Variable*)> variable;
  std::function<ir::ExprPtr(unsigned axis)> grid;
};
// The integer that a symbol stands for ("n", "p.width", "gridDim.x", "globalOffset.y"), in its own type; null
// where it has no expression.
ir::ExprPtr symbolExpr(const Atom& symbol, const SymbolPlaces& places);

class ToExpr {
 public:
  // Computes in the integer type given: signed, wide enough for what the kernel computed itself (see
  // indexType); comparisons in 64 bits where that may not do. Loop counters become the loops' variables,
  // blocks and threads coordinates, symbols parameters.
  ToExpr(const KernelModel& model, ir::TypePtr type = ir::int32());

  // What stands for an atom in place of the usual: a variable that holds threadIdx.x, a bound.
  void stands(AtomId atom, ir::ExprPtr expr) { given[atom] = std::move(expr); }
  // What stands for the variable of a loop (its value, not its counter) in place of the variable itself.
  void standsForLoop(LoopId loop, ir::ExprPtr value) { loopValues[loop] = std::move(value); }

  // Nothing when some part of it has no expression: a value nothing is known of, a loop without a variable.
  std::optional<ir::ExprPtr> of(const Poly& p);
  std::optional<ir::ExprPtr> of(const CondPtr& c);  // as comparisons a person would write: x < w

 private:
  Poly withLoopValues(const Poly& p);
  CondPtr withLoopValues(const CondPtr& c);
  std::optional<ir::ExprPtr> sum(const Poly& p);
  std::optional<ir::ExprPtr> condition(const CondPtr& c);
  std::optional<ir::ExprPtr> atom(AtomId id);
  std::optional<ir::ExprPtr> symbol(const Atom& a);
  std::optional<ir::ExprPtr> comparison(const Poly& value, bool isEquality);
  bool staysNarrow(const Poly& p) const;
  bool isChanged(const ir::Variable* param);

  const KernelModel& kernel;
  Atoms& atoms;
  ir::TypePtr type;
  std::map<AtomId, ir::ExprPtr> given;
  std::map<LoopId, ir::ExprPtr> loopValues;
  std::map<LoopId, AtomId> loopSymbols;                  // stand for the loops' variables
  unsigned written = 0;                                  // atoms of what is being written
  std::optional<std::set<const ir::Variable*>> changed;  // variables that the kernel assigns, once asked for
};

// The signed type that addresses of an access are computed in: 32 bits where the source's own subscripts are.
ir::TypePtr indexType(const Access& access);

}  // namespace hone::affine
