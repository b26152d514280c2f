#include "affine/Evaluate.h"

#include "ir/Integers.h"

namespace hone::affine {

Values::Values(const Atoms& table, const Launch& given) : atoms(table), launch(given) {}

void Values::setBlock(unsigned axis, int64_t v) { block[axis] = v; }
void Values::setThread(unsigned axis, int64_t v) { thread[axis] = v; }

void Values::set(AtomId id, int64_t v) {
  if (known.size() <= id) known.resize(atoms.size());
  known[id] = v;
}

void Values::clear(AtomId id) {
  if (id < known.size()) known[id].reset();
}

std::optional<int64_t> Values::symbol(const Atom& a) const {
  switch (a.symbol) {
    case SymbolKind::GridDim: return launch.grid[a.axis];
    case SymbolKind::GlobalOffset: return launch.globalOffset[a.axis];
    case SymbolKind::WorkDim: return launch.workDim;
    case SymbolKind::Helper:
    case SymbolKind::Value: break;
  }
  const auto at = launch.symbols.find(a.name);
  return at == launch.symbols.end() ? std::nullopt : std::optional(at->second);
}

std::optional<int64_t> Values::of(AtomId id) const {
  if (id < known.size() && known[id]) return known[id];
  const Atom& a = atoms[id];
  switch (a.kind) {
    case AtomKind::Block: return block[a.axis];
    case AtomKind::Thread: return thread[a.axis];
    case AtomKind::Symbol: return symbol(a);
    case AtomKind::Loop:
    case AtomKind::Opaque: return std::nullopt;
    case AtomKind::Choice: {
      const std::optional<bool> yes = holds(a.cond);
      return yes ? value(*yes ? a.yes : a.no) : std::nullopt;
    }
    case AtomKind::Div: {
      const std::optional<int64_t> divisor = value(a.divisor);
      if (!divisor || *divisor <= 0) return std::nullopt;
      const std::optional<int64_t> x = value(a.value);
      return x ? std::optional(floorDiv(*x, *divisor)) : std::nullopt;
    }
    case AtomKind::Bits: {
      const std::optional<int64_t> x = value(a.value), y = value(a.divisor);
      return x && y ? ir::exactly(a.op, *x, *y) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<int64_t> Values::value(const Poly& p) const {
  int64_t out = 0;
  for (const auto& [monomial, factor] : p.terms()) {
    int64_t term = factor;
    for (const AtomId id : monomial) {
      const std::optional<int64_t> v = of(id);
      if (!v || __builtin_mul_overflow(term, *v, &term)) return std::nullopt;
    }
    if (__builtin_add_overflow(out, term, &out)) return std::nullopt;
  }
  return out;
}

std::optional<bool> Values::holds(const CondPtr& c) const {
  switch (c->kind) {
    case CondKind::True: return true;
    case CondKind::False: return false;
    case CondKind::Unknown: return std::nullopt;
    case CondKind::AtLeast0:
    case CondKind::Zero: {
      const std::optional<int64_t> v = value(c->value);
      if (!v) return std::nullopt;
      return c->kind == CondKind::Zero ? *v == 0 : *v >= 0;
    }
    case CondKind::And:
    case CondKind::Or: {
      const bool absorbing = c->kind == CondKind::Or;
      bool allKnown = true;
      for (const CondPtr& part : c->parts) {
        const std::optional<bool> isSo = holds(part);
        if (isSo && *isSo == absorbing) return absorbing;
        allKnown &= isSo.has_value();
      }
      return allKnown ? std::optional(!absorbing) : std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace hone::affine
