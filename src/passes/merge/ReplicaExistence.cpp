#include "passes/merge/ReplicaExistence.h"

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/StmtsOf.h"
#include "passes/edit/Harmless.h"
#include "passes/merge/ReplicaGuards.h"
#include "passes/merge/ReplicaValues.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether replicas exist, asked where it matters.
class ExistenceAsker {
 public:
  ExistenceAsker(const StmtPtr& body, const Replicas& replicas, const std::array<ExprPtr, 3>& of,
                 bool threads)
      : masks(body, replicas), values(body, replicas, masks), exists(of), asThreads(threads) {
    for (unsigned axis = 0; axis < 3; ++axis)
      if (exists[axis]) asked |= AxisMask(1u << axis);
    walkStmts(body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>(); d && !d->init && d->var->space != Space::Shared)
        unset.insert(d->var.get());
      if (const auto* d = s.as<Declare>(); d && d->var->space == Space::Shared) filled.insert(d->var.get());
    });
    for (const Variable* var : addressTaken(body)) filled.erase(var);
    walkStmts(body, [&](const Stmt& s) {
      for (const ir::Access& access : accesses(s))
        if (access.mode != AccessMode::Read && access.mode != AccessMode::Address)
          written.insert(rootVariable(access.place).get());
    });
    for (size_t before = 0; before != filled.size();) {
      before = filled.size();
      strike(body, false);
    }
  }
  bool failed = false;

  StmtPtr run(const StmtPtr& body) {
    StmtPtr made = within(body);
    return withFirstValues(made, setByFew);
  }
  StmtPtr within(const StmtPtr& s) { return s ? block(list(stmtsOf(s)), s->loc) : nullptr; }

 private:
  ReplicaMasks masks;
  ReplicaValues values;
  std::array<ExprPtr, 3> exists;
  AxisMask asked = 0;
  bool asThreads;
  std::set<const Variable*> unset, written;
  std::set<const Variable*> setByFew;  // declared without a value, and set where somebody was asked
  // Shared arrays that a replica which does not exist may fill as the others do, with zeros for what it
  // cannot load, and read again.
  std::set<const Variable*> filled;

  static const Variable* sharedArray(const ExprPtr& place) {
    const auto* element = as<Subscript>(place);
    const auto* var = element ? as<VarRef>(element->base) : nullptr;
    return var && var->var->space == Space::Shared ? var->var.get() : nullptr;
  }
  // The same element for all replicas that are asked.
  bool isSameElement(const ExprPtr& place) const {
    AxisMask mask = 0;
    for (const ExprPtr& index : as<Subscript>(place)->indices) mask |= masks.of(index);
    return !(mask & asked);
  }

  void strike(const StmtPtr& s, bool differs) {
    const auto* a = s->as<Assign>();
    for (const ir::Access& access : accesses(*s)) {
      const Variable* array = rootVariable(access.place).get();
      if (!array || array->space != Space::Shared || access.mode == AccessMode::Read) continue;
      const bool plain = a && !differs && sharedArray(a->place) == array && isSameElement(a->place) &&
                         zeroOf(a->place->type) && (!a->op || isHarmless(a->value, rules()));
      if (!plain) filled.erase(array);
    }
    const bool below = differs || (!isPlain(*s) && (masks.needs(*s) & asked));
    forEachChild(*s, [&](const StmtPtr& child) { strike(child, below); });
  }

  // What is harmless also for a replica that does not exist.
  HarmlessRules rules() const {
    return {.mayLoad = [this](const ExprPtr& place) {
      const Variable* array = sharedArray(place);
      return array && filled.contains(array) && isSameElement(place) && zeroOf(place->type);
    }};
  }

  // What must be asked before a statement.
  AxisMask askedOf(const StmtPtr& s) const {
    bool writes = false;
    if (asThreads)
      walkStmts(s, [&](const Stmt& one) {
        writes = writes || one.is<Eval>() || prints(one);
        for (const ir::Access& access : accesses(one)) {
          VarPtr root = rootVariable(access.place);
          if (access.mode == AccessMode::Address) continue;
          // Nor may they read what those that exist are writing.
          if (access.mode == AccessMode::Read && !written.contains(root.get())) continue;
          writes =
              writes || !root ||
              (root->space != Space::Shared && (root->type->isPointer() || root->storage == Storage::Global));
        }
      });
    return writes ? asked : masks.needsBelow(s) & asked;
  }

  ExprPtr guardOf(AxisMask mask) const {
    ExprPtr guard;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (mask & (1u << axis)) guard = andAlso(guard, exists[axis]);
    return guard;
  }

  StmtList list(const StmtList& stmts) {
    StmtList out, guarded;
    AxisMask current = 0;
    auto flush = [&] {
      const auto* only = guarded.size() == 1 ? guarded.front()->as<If>() : nullptr;
      if (only && !only->otherwise)
        out.push_back(
            makeStmt(If{andAlso(guardOf(current), only->cond), only->then, nullptr}, guarded.front()->loc));
      else if (!guarded.empty())
        out.push_back(makeStmt(If{guardOf(current), block(guarded), nullptr}, guarded.front()->loc));
      guarded.clear();
    };
    for (const StmtPtr& s : stmts) {
      const AxisMask mask = askedOf(s);
      const auto* d = s->as<Declare>();
      const auto* a = s->as<Assign>();
      const Variable* array = a ? sharedArray(a->place) : nullptr;
      if (!mask || isArithmetic(*s)) {
        flush();
        out.push_back(s);
      } else if (array && filled.contains(array)) {
        flush();
        out.push_back(isHarmless(a->value, rules())
                          ? s
                          : assign(a->place, valueUnder(guardOf(mask), a->value), s->loc));
      } else if (d) {
        flush();
        declare(s, *d, mask, out);
      } else if (!isPlain(*s) && !(masks.needs(*s) & asked)) {
        flush();
        out.push_back(compound(s));
      } else {
        if (mask != current) flush();
        current = mask;
        guarded.push_back(s);
        for (const Variable* var : assignedVariables(s))
          if (unset.contains(var)) setByFew.insert(var);
      }
    }
    flush();
    return out;
  }

  static bool isPlain(const Stmt& s) {
    return s.is<Assign>() || s.is<Eval>() || s.is<Printf>() || s.is<Assert>();
  }

  // On the replica's own variables, all of which are set.
  bool isArithmetic(const Stmt& s) const {
    if (const auto* d = s.as<Declare>()) return isHarmless(d->init, rules());
    const auto* a = s.as<Assign>();
    const auto* var = a ? as<VarRef>(a->place) : nullptr;
    if (!var || var->var->space != Space::Private || var->var->storage == Storage::Global) return false;
    HarmlessRules own = rules();
    own.unset = &unset;
    return isHarmless(*a, own);
  }

  // The value where the guard holds, 0 elsewhere.
  static ExprPtr valueUnder(const ExprPtr& guard, const ExprPtr& value) {
    ExprPtr zero = zeroOf(value->type);
    const auto* choice = as<Select>(value);
    const auto* number = choice ? as<FloatLiteral>(withoutCasts(choice->no)) : nullptr;
    const auto* whole = choice ? as<IntLiteral>(withoutCasts(choice->no)) : nullptr;
    if ((number && number->value == 0) || (whole && whole->value == 0))
      return makeExpr(value->type, Select{andAlso(guard, choice->cond), choice->yes, choice->no}, value->loc);
    return makeExpr(value->type, Select{guard, value, zero}, value->loc);
  }
  void declare(const StmtPtr& s, const Declare& d, AxisMask mask, StmtList& out) {
    const auto* call = as<Call>(d.init);
    const bool hasEffect = call && !isPure(*call);
    ExprPtr zero = zeroOf(d.var->type);
    if (zero && !hasEffect && !d.var->isReference) {
      out.push_back(makeStmt(
          Declare{d.var, makeExpr(zero->type, Select{guardOf(mask), d.init, zero}, s->loc)}, s->loc));
    } else if (!d.var->isConst && !d.var->isReference && !d.var->type->is(TypeKind::Array)) {
      out.push_back(makeStmt(Declare{d.var, nullptr}, s->loc));
      out.push_back(
          makeStmt(If{guardOf(mask), block({assign(ref(d.var), d.init, s->loc)}), nullptr}, s->loc));
      unset.insert(d.var.get());
      setByFew.insert(d.var.get());
    } else {
      failed = true;
    }
  }

  StmtPtr compound(const StmtPtr& s) {
    if (s->is<Block>()) return within(s);
    if (const auto* choice = s->as<If>())
      return makeStmt(If{choice->cond, within(choice->then), within(choice->otherwise)}, s->loc);
    if (const auto* loop = s->as<For>()) {
      For copy = *loop;
      copy.body = within(loop->body);
      return makeStmt(std::move(copy), s->loc);
    }
    if (const auto* loop = s->as<While>())
      return makeStmt(While{loop->cond, within(loop->body), loop->unroll}, s->loc);
    if (const auto* loop = s->as<DoWhile>())
      return makeStmt(DoWhile{within(loop->body), loop->cond, loop->unroll}, s->loc);
    Switch copy = *s->as<Switch>();
    for (SwitchCase& c : copy.cases) c.body = list(c.body);
    return makeStmt(std::move(copy), s->loc);
  }
};

}  // namespace

StmtPtr askExistence(const StmtPtr& body, const Replicas& replicas, const std::array<ExprPtr, 3>& exists,
                     bool asThreads) {
  // What is set where somebody else had to be asked differs from then on, and what uses it must be asked too.
  for (Replicas known = replicas;;) {
    ExistenceAsker asker(body, known, exists, asThreads);
    StmtPtr made = asker.run(body);
    if (asker.failed) return nullptr;
    const ReplicaMasks before(body, known), after(made, known);
    bool grew = false;
    walkStmts(made, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      // Threads have variables of their own, and ask before they write; of shared arrays each gets a copy
      // too.
      if (!d || (asThreads && d->var->space != Space::Shared)) return;
      if ((after.of(*d->var) & ~before.of(*d->var)) && known.apart.insert(d->var.get()).second) grew = true;
    });
    if (!grew) return made;
  }
}

}  // namespace hone::passes
