// Expressions of a plan as formulas for people: conversions between integers and suffixes of numbers are left
// out.
#pragma once

#include "emit/Emitter.h"

namespace hone::emit {

class PlanFormula {
 public:
  // `coord` writes grid and block of the original launch.
  PlanFormula(const Names& variableNames, const std::map<ir::ConstantRole, Emitter::ChosenConstant>& chosen,
              std::function<std::string(const ir::Coord&)> coord)
      : names(variableNames), constants(chosen), coordinate(std::move(coord)) {}

  std::string of(const ir::ExprPtr& e) const { return print(e).text; }
  // A condition such that others can follow it behind " && ".
  std::string conjunction(const ir::ExprPtr& e) const;

 private:
  Printed print(const ir::ExprPtr& e) const;

  const Names& names;
  const std::map<ir::ConstantRole, Emitter::ChosenConstant>& constants;
  std::function<std::string(const ir::Coord&)> coordinate;
};

}  // namespace hone::emit
