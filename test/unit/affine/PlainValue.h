// The value of a polynomial at a point, by the definition of each atom and nothing else: what the tests
// compare with.
#pragma once

#include "affine/Atoms.h"

namespace hone::affine {

using AtomValues = std::map<AtomId, int64_t>;

inline bool plainHolds(const Atoms& atoms, const CondPtr& c, const AtomValues& at);

inline int64_t plainValue(const Atoms& atoms, const Poly& p, const AtomValues& at) {
  const auto ofAtom = [&](AtomId id) -> int64_t {
    if (const auto given = at.find(id); given != at.end()) return given->second;
    const Atom& a = atoms[id];
    if (a.kind == AtomKind::Choice)
      return plainValue(atoms, plainHolds(atoms, a.cond, at) ? a.yes : a.no, at);
    const int64_t x = plainValue(atoms, a.value, at), y = plainValue(atoms, a.divisor, at);
    if (a.kind == AtomKind::Div) return x >= 0 ? x / y : -((-x + y - 1) / y);
    switch (a.op) {
      case ir::BinaryOp::BitAnd: return x & y;
      case ir::BinaryOp::BitOr: return x | y;
      case ir::BinaryOp::BitXor: return x ^ y;
      case ir::BinaryOp::Shl: return x * (int64_t{1} << y);
      default: return x >> y;
    }
  };
  int64_t out = 0;
  for (const auto& [monomial, factor] : p.terms()) {
    int64_t term = factor;
    for (const AtomId id : monomial) term *= ofAtom(id);
    out += term;
  }
  return out;
}

inline bool plainHolds(const Atoms& atoms, const CondPtr& c, const AtomValues& at) {
  switch (c->kind) {
    case CondKind::True: return true;
    case CondKind::AtLeast0: return plainValue(atoms, c->value, at) >= 0;
    case CondKind::Zero: return plainValue(atoms, c->value, at) == 0;
    case CondKind::And:
      for (const CondPtr& part : c->parts)
        if (!plainHolds(atoms, part, at)) return false;
      return true;
    case CondKind::Or:
      for (const CondPtr& part : c->parts)
        if (plainHolds(atoms, part, at)) return true;
      return false;
    case CondKind::False:
    case CondKind::Unknown: break;
  }
  return false;
}

}  // namespace hone::affine
