#include "passes/host/HostConditions.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/ToExpr.h"
#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/host/GlobalIdBounds.h"

namespace hone::passes {

using namespace ir;
using affine::AtomId;
using affine::AtomKind;
using affine::CondKind;
using affine::KernelModel;
using affine::Poly;

bool mayHaveAnyBlock(const LaunchStep& launch) {
  const bool isFixed = std::all_of(launch.block.begin(), launch.block.end(),
                                   [](const ExprPtr& e) { return constantValue(e).has_value(); });
  return !isFixed && launchAssumption(*launch.kernel).free;
}

namespace {

// What the launch hands over for a parameter of its kernel; null for any other variable.
ExprPtr argumentFor(const LaunchStep& launch, const Variable* param) {
  const auto& params = launch.kernel->params;
  const auto at =
      std::find_if(params.begin(), params.end(), [&](const VarPtr& p) { return p.get() == param; });
  return at == params.end() ? nullptr : launch.args[static_cast<size_t>(at - params.begin())];
}

class ToHost : public Rewriter {
 public:
  ToHost(const LaunchStep& step, const Substitution& values)
      : launch(step), known(values), changing(assignedVariables(step.kernel->body)) {
    changing.merge(addressTaken(step.kernel->body));
  }
  VarPtr unknown;           // the first variable that has no value there
  bool isOfThread = false;  // an id, memory or a call

 private:
  const LaunchStep& launch;
  const Substitution& known;
  std::set<const Variable*> changing;  // while the kernel runs

  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* var = e->as<VarRef>()) return variable(e, var->var);
    if (const auto* c = e->as<Coord>()) return coordinate(e, *c);
    if (e->is<Call>() || e->is<Subscript>()) isOfThread = true;
    return e;
  }

  ExprPtr variable(const ExprPtr& e, const VarPtr& var) {
    for (const auto& [inKernel, inPlan] : known)
      if (inKernel == var) return inPlan;
    if (!changing.contains(var.get())) {
      if (const ExprPtr argument = argumentFor(launch, var.get())) return convert(argument, e->type);
      if (const ExprPtr value = declaredAs(var.get())) return rewrite(value);
    }
    if (!unknown) unknown = var;
    return e;
  }

  ExprPtr coordinate(const ExprPtr& e, const Coord& c) {
    switch (c.kind) {
      case CoordKind::GridDim: return convert(launch.grid[c.axis], e->type);
      case CoordKind::BlockDim: return convert(launch.block[c.axis], e->type);
      case CoordKind::GlobalSize:
        return times(convert(launch.grid[c.axis], e->type), convert(launch.block[c.axis], e->type));
      case CoordKind::GlobalOffset: return e;  // every launch of a plan has the original's
      default: isOfThread = true; return e;
    }
  }

  ExprPtr declaredAs(const Variable* var) const {
    ExprPtr value;
    walkStmts(launch.kernel->body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>(); d && d->var.get() == var) value = d->init;
    });
    return value;
  }
};

class HostExpr {
 public:
  HostExpr(const LaunchStep& step, const KernelModel& kernelModel)
      : launch(step), model(kernelModel), atoms(*kernelModel.atoms) {}

  ExprPtr of(const Poly& p) {
    ExprPtr sum;
    // Terms that are added first, so that a sum does not begin with a minus.
    for (bool negative : {false, true})
      for (const auto& [monomial, factor] : p.terms()) {
        if ((factor < 0) != negative || monomial.empty()) continue;
        ExprPtr term;
        for (AtomId id : monomial) {
          ExprPtr one = of(id);
          if (!one) return nullptr;
          term = term ? times(term, one) : one;
        }
        const int64_t times1 = negative && sum ? -factor : factor;
        if (times1 != 1) term = times(term, intLit(times1, int64()));
        sum = !sum ? term : negative ? minus(sum, term) : plus(sum, term);
      }
    const ExprPtr constant = intLit(p.constantPart(), int64());
    return sum ? plus(sum, constant) : constant;
  }

  ExprPtr of(const affine::CondPtr& c) {
    switch (c->kind) {
      case CondKind::True: return boolLit(true);
      case CondKind::False: return boolLit(false);
      case CondKind::AtLeast0:
      case CondKind::Zero: {
        // What is subtracted goes to the other side.
        Poly left, right;
        for (const auto& [monomial, factor] : c->value.terms())
          factor > 0 ? left.add(monomial, factor) : right.add(monomial, -factor);
        if (right.isZero() && !left.constant()) {  // n >= -3 says more than n + 3 >= 0
          right = Poly(-left.constantPart());
          left += right;
        }
        ExprPtr a = of(left), b = of(right);
        if (!a || !b) return nullptr;
        return binary(c->kind == CondKind::Zero ? BinaryOp::Eq : BinaryOp::Le, b, a);
      }
      case CondKind::And:
      case CondKind::Or: {
        ExprPtr all;
        for (const affine::CondPtr& part : c->parts) {
          ExprPtr one = of(part);
          if (!one) return nullptr;
          all = !all ? one : c->kind == CondKind::And ? andAlso(all, one) : orElse(all, one);
        }
        return all;
      }
      case CondKind::Unknown: break;
    }
    return nullptr;
  }

 private:
  const LaunchStep& launch;
  const KernelModel& model;
  const affine::Atoms& atoms;

  // Choices among choices double with each; what would take pages is not written.
  static constexpr unsigned mostAtoms = 1000;
  unsigned written = 0;

  ExprPtr of(AtomId id) {
    if (++written > mostAtoms) return nullptr;
    const affine::Atom& atom = atoms[id];
    switch (atom.kind) {
      case AtomKind::Symbol: return symbol(atom);
      case AtomKind::Div: {
        // Division of C rounds towards zero: the same where nothing is negative.
        if (atoms.range(atom.value).low < 0 || atoms.range(atom.divisor).low < 1) return nullptr;
        ExprPtr a = of(atom.value), b = of(atom.divisor);
        return a && b ? over(a, b) : nullptr;
      }
      case AtomKind::Choice: {
        ExprPtr cond = of(atom.cond);
        ExprPtr yes = cond ? of(atom.yes) : nullptr;
        ExprPtr no = yes ? of(atom.no) : nullptr;
        return no ? makeExpr(int64(), Select{cond, yes, no}) : nullptr;
      }
      case AtomKind::Bits: {
        ExprPtr a = of(atom.value), b = of(atom.divisor);
        return a && b ? binary(atom.op, a, b) : nullptr;
      }
      default: return nullptr;
    }
  }

  ExprPtr symbol(const affine::Atom& atom) const {
    const ExprPtr value = hostSymbol(launch, model, atom);
    return value ? convert(value, int64()) : nullptr;
  }
};

// Quotients of sums that may be negative, as in `16 * ((n + 15) / 16)`, which the host does not work out:
// times the divisor they are no more than the sum where that is not negative, which goes to `needs`.
Poly withoutQuotients(const KernelModel& model, Poly p, std::vector<affine::CondPtr>& needs) {
  affine::Atoms& atoms = *model.atoms;
  auto mayBeNegative = [&](const Poly& of) {
    bool found = false;
    atoms.forEachAtom(of, [&](AtomId id) {
      found = found || (atoms[id].kind == AtomKind::Div && atoms.range(atoms[id].value).low < 0);
    });
    return found;
  };
  for (AtomId id : p.atoms()) {
    const affine::Atom& atom = atoms[id];
    if (atom.kind != AtomKind::Choice || atom.cond->kind != CondKind::AtLeast0 ||
        !mayBeNegative(Poly::atom(id)))
      continue;
    needs.push_back(atom.cond);
    p = atoms.substitute(p, {{id, atom.yes}});
  }
  for (AtomId id : p.atoms()) {
    const affine::Atom& atom = atoms[id];
    const auto by = atom.kind == AtomKind::Div ? atom.divisor.constant() : std::nullopt;
    const Poly factor = p.coefficient(id);
    if (!by || atoms.range(atom.value).low >= 0 || factor.mentions(id) || !factor.isDivisible(*by) ||
        atoms.range(factor).high <= 0)
      continue;
    if (atoms.range(factor).low < 0) needs.push_back(affine::atLeast0(factor));
    p = p.without(id) + factor.dividedExactly(*by) * atom.value;
  }
  return p;
}

// A polynomial of symbols that is no less than another over threads, blocks and iterations: its greatest
// value where it is linear. What the signs of its factors rely on goes to `needs`.
std::optional<Poly> greatest(const KernelModel& model, Poly p, std::vector<affine::CondPtr>& needs) {
  affine::Atoms& atoms = *model.atoms;
  for (unsigned iterations = 0; iterations < 16; ++iterations) {
    std::optional<AtomId> varying;
    for (AtomId id : p.atoms())
      if (!atoms.isLaunchUniform(Poly::atom(id)) &&
          (!varying || atoms[id].kind == AtomKind::Loop))  // inner loops first: bounds use what is outside
        varying = id;
    if (!varying) return withoutQuotients(model, p, needs);
    const affine::Atom& atom = atoms[*varying];
    const affine::Range known = atoms.range(Poly::atom(*varying));
    Poly most;
    if (atom.kind == AtomKind::Thread) {
      most = Poly(static_cast<int64_t>(model.block[atom.axis]) - 1);
    } else if (atom.kind == AtomKind::Block) {
      most = atoms.gridDim(atom.axis) - Poly(1);
    } else if (atom.kind == AtomKind::Loop) {
      const affine::CondPtr& runs = model.loops[atom.loop].runs;
      if (runs && runs->kind == CondKind::AtLeast0 && runs->value.coefficient(*varying) == Poly(-1))
        most = runs->value.without(*varying);
      else if (const auto last = lastIteration(atoms, model.loops[atom.loop]))
        most = Poly(*last);
      else
        return std::nullopt;
    } else if (known.high < INT32_MAX) {
      most = Poly(known.high);
    } else {
      // A quotient rises with what is divided.
      const bool rises = atom.kind == AtomKind::Div && atoms.range(Poly::atom(*varying)).low >= 0;
      const auto divided = rises ? greatest(model, atom.value, needs) : std::nullopt;
      const auto whole = divided ? divided->constant() : std::nullopt, by = atom.divisor.constant();
      if (!whole || !by || *by < 1) return std::nullopt;
      most = Poly(affine::floorDiv(*whole, *by));
    }
    const Poly factor = p.coefficient(*varying), rest = p.without(*varying);
    if (factor.mentions(*varying)) return std::nullopt;
    const affine::Range sign = atoms.range(factor);
    if (sign.high <= 0) {
      p = rest;
    } else if (sign.low >= 0) {
      p = rest + factor * most;
    } else {
      // Numbers that a kernel is handed are rarely below 0: of `-n` that is asked.
      if (!atoms.isLaunchUniform(factor)) return std::nullopt;
      const bool isNegated = std::all_of(factor.terms().begin(), factor.terms().end(),
                                         [](const auto& term) { return term.second < 0; });
      needs.push_back(affine::atLeast0(isNegated ? -factor : factor));
      p = isNegated ? rest : rest + factor * most;
    }
  }
  return std::nullopt;
}

// Whoever let the grid overshoot made sure that ids of threads fit.
bool isIdOfOvershootingGrid(const LaunchStep& launch, const KernelModel& model,
                            const affine::Requirement& requirement) {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (launch.mayOvershoot[axis] && requirement.value == globalId(model, axis) && requirement.low <= 0 &&
        requirement.high >= INT32_MAX)
      return true;
  return false;
}

}  // namespace

std::optional<int64_t> lastIteration(const affine::Atoms& atoms, const affine::Loop& loop) {
  if (const int64_t high = atoms.range(Poly::atom(loop.counter)).high; high < INT32_MAX) return high;
  if (!loop.runs || loop.runs->kind != CondKind::AtLeast0) return std::nullopt;
  const auto by = loop.runs->value.coefficient(loop.counter).constant();
  const int64_t rest = atoms.range(loop.runs->value.without(loop.counter)).high;
  if (!by || *by >= 0 || rest < 0 || rest >= INT32_MAX) return std::nullopt;
  return rest / -*by;
}

OnHost onHost(const LaunchStep& launch, const ExprPtr& e, const Substitution& known) {
  ToHost host(launch, known);
  const ExprPtr value = host.rewrite(e);
  return host.unknown || host.isOfThread ? OnHost{nullptr, host.unknown} : OnHost{value, nullptr};
}

ExprPtr hostSymbol(const LaunchStep& launch, const KernelModel& model, const affine::Atom& symbol) {
  // Of a kernel that takes any block: as many blocks of the model's shape as cover the threads of the launch.
  auto grid = [&](unsigned axis) {
    if (!mayHaveAnyBlock(launch)) return launch.grid[axis];
    const ExprPtr threads = times(convert(launch.grid[axis], int64()), convert(launch.block[axis], int64()));
    return ceilDiv(threads, intLit(model.block[axis], int64()));
  };
  return affine::symbolExpr(symbol, {[&](const Variable* var) { return argumentFor(launch, var); }, grid});
}

ExprPtr hostValue(const LaunchStep& launch, const KernelModel& model, const Poly& value) {
  return HostExpr(launch, model).of(value);
}

ExprPtr hostCondition(const LaunchStep& launch, const KernelModel& model, const affine::CondPtr& cond) {
  return HostExpr(launch, model).of(cond);
}

ExprPtr hostRequirement(const LaunchStep& launch, const KernelModel& model,
                        const affine::Requirement& requirement) {
  const affine::Range known = model.atoms->range(requirement.value);
  std::vector<affine::CondPtr> needs;
  for (bool above : {true, false}) {
    if (above ? requirement.high == INT64_MAX || known.high <= requirement.high
              : requirement.low == INT64_MIN || known.low >= requirement.low)
      continue;
    const auto most = greatest(model, above ? requirement.value : -requirement.value, needs);
    if (!most) return nullptr;
    needs.push_back(
        affine::atLeast0(above ? Poly(requirement.high) - *most : Poly(-requirement.low) - *most));
  }
  return hostCondition(launch, model, affine::allOf(needs));
}

Result<ExprPtr> testsFor(const LaunchStep& launch, const KernelModel& model,
                         const std::set<unsigned>& requirements, WrittenAs integers) {
  ExprPtr tests;
  for (const unsigned r : requirements) {
    affine::Requirement requirement = model.requirements[r];
    if (integers == WrittenAs::Signed && requirement.high == UINT32_MAX) requirement.high = INT32_MAX;
    if (isIdOfOvershootingGrid(launch, model, requirement)) continue;
    const ExprPtr holds = hostRequirement(launch, model, requirement);
    if (!holds || isFalse(holds))
      return Refusal{fmt::format("{}, which cannot be made sure of before the launch", requirement.why),
                     requirement.loc};
    if (!isTrue(holds)) tests = andAlso(tests, holds);
  }
  return tests;
}

ExprPtr hostPointer(const LaunchStep& launch, const KernelModel& model, affine::ArrayId array) {
  const affine::Array& what = model.arrays[array];
  if (!what.var) return nullptr;
  if (!what.name.starts_with(what.var->name)) return nullptr;
  const ExprPtr value = affine::fieldAt(argumentFor(launch, what.var.get()),
                                        std::string_view(what.name).substr(what.var->name.size()));
  return value && value->type->isPointer() ? value : nullptr;
}

}  // namespace hone::passes
