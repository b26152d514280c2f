#include "passes/merge/ReplicaLoads.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/merge/ReplicaGuards.h"
#include "passes/merge/ReplicaValues.h"

namespace hone::passes {

using namespace ir;

namespace {

// Memory that other threads see.
bool isOutside(const ExprPtr& place) {
  ExprPtr e = place;
  for (;;) {
    if (const auto* element = as<Subscript>(e)) {
      if (element->base->type->isPointer()) return element->base->type->space != Space::Private;
      e = element->base;
    } else if (const auto* field = as<Member>(e)) {
      e = field->base;
    } else if (const auto* lanes = as<Swizzle>(e)) {
      e = lanes->base;
    } else {
      const auto* var = as<VarRef>(e);
      return var && (var->var->space != Space::Private || var->var->storage == Storage::Global);
    }
  }
}

bool writesOutside(const Stmt& s) {
  for (const ir::Access& access : accesses(s))
    if ((access.mode == AccessMode::Write || access.mode == AccessMode::ReadWrite) && isOutside(access.place))
      return true;
  bool unknown = false;
  forEachExpr(s, [&](const ExprPtr& e) { unknown = unknown || !isPure(e); });
  return unknown || s.is<Barrier>() || s.is<Fence>();
}

class Replace : public Rewriter {
 public:
  std::map<const Expr*, ExprPtr> by;
  ExprPtr rewrite(const ExprPtr& e) override {
    auto found = by.find(e.get());
    return found == by.end() ? Rewriter::rewrite(e) : found->second;
  }
  using Rewriter::rewrite;
};

class LoadHoister {
 public:
  LoadHoister(const StmtPtr& whole, const Replicas& of, Names& taken,
              const std::array<ConstantRole, 3>& names)
      : masks(whole, of), values(whole, of, masks), fresh(taken), along(names), known(of.holds) {}

  std::vector<std::string> arrays;

  StmtPtr within(const StmtPtr& s, AxisMask open) {
    if (!s) return nullptr;
    const auto* inner = as<Block>(s);
    return block(list(inner ? inner->stmts : StmtList{s}, open), s->loc);
  }

 private:
  // Statements since the last barrier or loop: loads may move to their beginning while nothing there changes
  // what they read.
  struct Run {
    size_t start = 0;
    std::vector<AxisMask> keys;  // of the loads put there, rising
    bool writes = false;
    std::set<const Variable*> set;
    std::vector<std::pair<ExprPtr, VarPtr>> loaded;
  };

  ReplicaMasks masks;
  ReplicaValues values;
  Names& fresh;
  std::array<ConstantRole, 3> along;
  std::vector<ExprPtr> known;  // conditions that hold here

  StmtList list(const StmtList& stmts, AxisMask open) {
    StmtList out;
    Run run;
    for (const StmtPtr& s : stmts) {
      const auto* choice = s->as<If>();
      const bool isLeaf = s->is<Assign>() || s->is<Declare>() || s->is<Eval>();
      if (isLeaf || s->is<Comment>() || s->is<Printf>()) {
        StmtPtr now = isLeaf ? leaf(s, open, masks.needs(*s), {}, out, run, {}) : s;
        note(*now, run);
        out.push_back(now);
      } else if (choice && !choice->otherwise && isPlain(choice->then)) {
        out.push_back(guarded(s, *choice, open, out, run));
        walkStmts(out.back(), [&](const Stmt& inner) { note(inner, run); });
      } else {
        out.push_back(compound(s, open));
        run = {};
        run.start = out.size();
      }
    }
    return out;
  }

  static bool isPlain(const StmtPtr& s) {
    const auto* inner = as<Block>(s);
    return inner && std::all_of(inner->stmts.begin(), inner->stmts.end(), [](const StmtPtr& one) {
             return one->is<Assign>() || one->is<Declare>() || one->is<Eval>() || one->is<Comment>();
           });
  }

  static void note(const Stmt& s, Run& run) {
    run.writes |= writesOutside(s) && HONE_SEED(MergeLoadPastStore, true, false);
    if (const auto* d = s.as<Declare>()) run.set.insert(d->var.get());
    if (s.is<Assign>())
      for (const Variable* var : assignedVariables(makeStmt(s.node))) run.set.insert(var);
    if (s.is<Eval>()) run.writes = true;
  }

  StmtPtr compound(const StmtPtr& s, AxisMask open) {
    const AxisMask inner = open | masks.needs(*s);
    if (const auto* choice = s->as<If>()) {
      const size_t before = known.size();
      for (const ExprPtr& part : conjuncts(choice->cond)) known.push_back(part);
      StmtPtr then = within(choice->then, inner);
      known.resize(before);
      return makeStmt(If{choice->cond, then, within(choice->otherwise, inner)}, s->loc);
    }
    if (const auto* loop = s->as<For>()) {
      For copy = *loop;
      copy.body = within(loop->body, inner);
      return makeStmt(std::move(copy), s->loc);
    }
    if (const auto* loop = s->as<While>())
      return makeStmt(While{loop->cond, within(loop->body, inner), loop->unroll}, s->loc);
    if (const auto* loop = s->as<DoWhile>())
      return makeStmt(DoWhile{within(loop->body, inner), loop->cond, loop->unroll}, s->loc);
    if (s->is<Block>()) return within(s, inner);
    return s;
  }

  StmtPtr guarded(const StmtPtr& s, const If& choice, AxisMask open, StmtList& out, Run& run) {
    AxisMask needs = masks.of(choice.cond);
    const auto& stmts = as<Block>(choice.then)->stmts;
    for (const StmtPtr& one : stmts) needs |= masks.needs(*one);
    StmtList then;
    Run inside;  // what the guarded statements themselves change
    for (const StmtPtr& one : stmts) {
      StmtPtr now = inside.writes || one->is<Comment>()
                        ? one
                        : leaf(one, open, needs, conjuncts(choice.cond), out, run, inside.set);
      note(*now, inside);
      then.push_back(now);
    }
    return makeStmt(If{choice.cond, block(std::move(then), choice.then->loc), nullptr}, s->loc);
  }

  StmtPtr leaf(const StmtPtr& s, AxisMask open, AxisMask needs, const std::vector<ExprPtr>& guard,
               StmtList& out, Run& run, const std::set<const Variable*>& changed) {
    const AxisMask wanted = needs & AxisMask(~open);
    if (!wanted) return s;
    Replace replace;
    for (const ir::Access& access : accesses(*s)) {
      if (access.mode != AccessMode::Read || access.through || !isOutside(access.place)) continue;
      const AxisMask mask = masks.of(access.whole);
      if ((mask & wanted) == wanted || access.whole->type->is(TypeKind::Array)) continue;
      std::vector<ExprPtr> parts = guard;
      for (const ExprPtr& condition : access.conditions)
        for (const ExprPtr& part : conjuncts(condition)) parts.push_back(part);
      auto load = loadUnder(access.whole, parts, mask, open);
      if (!load || mentions(*load, changed)) continue;
      if (VarPtr var = declare(*load, access.whole, mask & AxisMask(~open), wanted, out, run))
        replace.by[access.whole.get()] = ref(var, access.whole->loc);
    }
    return replace.by.empty() ? s : replace.rewrite(s).front();
  }

  // The load where one of the replicas that share it makes it.
  std::optional<ExprPtr> loadUnder(const ExprPtr& load, const std::vector<ExprPtr>& parts, AxisMask mask,
                                   AxisMask open) {
    AxisMask drop = 0;
    for (const ExprPtr& part : parts) {
      if (!values.isSteady(part)) return std::nullopt;
      drop |= masks.of(part);
    }
    auto some = values.forSome(parts, drop & AxisMask(~(mask | open)));
    if (!some) return std::nullopt;
    std::erase_if(*some, [&](const ExprPtr& part) {
      return std::any_of(known.begin(), known.end(), [&](const ExprPtr& k) { return equal(k, part); });
    });
    if (some->empty() || HONE_SEED(MergeLoadUnguarded, false, true)) return load;
    ExprPtr zero = zeroOf(load->type);
    if (!zero) return std::nullopt;
    return makeExpr(load->type, Select{conjunction(*some), load, zero}, load->loc);
  }

  VarPtr declare(const ExprPtr& load, const ExprPtr& place, AxisMask mask, AxisMask wanted, StmtList& out,
                 Run& run) {
    const bool toStart = !run.writes && !mentions(load, run.set);
    if (toStart)
      for (const auto& [expr, var] : run.loaded)
        if (equal(expr, load)) return var;
    VarPtr root = rootVariable(place);
    std::string name = root ? root->name : "value";
    const std::string array = name;
    if (name.ends_with("_tile")) name.resize(name.size() - 5);
    VarPtr var = makeLocal(fresh, name + "_reg", place->type);
    StmtPtr made = makeStmt(Declare{var, load}, place->loc);
    if (!toStart) {
      out.push_back(made);
      return var;
    }
    // Loads that depend on inner axes alone first: what follows shares the loops of the outer ones.
    auto at = std::upper_bound(run.keys.begin(), run.keys.end(), mask);
    const auto index = at - run.keys.begin();
    run.keys.insert(at, mask);
    auto position = out.begin() + static_cast<std::ptrdiff_t>(run.start) + index;
    out.insert(position, made);
    if (std::find(arrays.begin(), arrays.end(), array) == arrays.end()) {
      arrays.push_back(array);
      say(array, AxisMask(wanted & ~mask), out, run, index);
    }
    run.loaded.emplace_back(load, var);
    return var;
  }

  // A comment before the load; it counts as one of the loads, so that both stay together.
  void say(const std::string& array, AxisMask shared, StmtList& out, Run& run, std::ptrdiff_t index) {
    std::string list;
    std::vector<ConstantRole> roles;
    for (unsigned axis = 3; axis-- > 0;)
      if (shared & (1u << axis)) {
        list += list.empty() ? "{}" : " x {}";
        roles.push_back(along[axis]);
      }
    StmtPtr comment = makeStmt(Comment{
        fmt::format("{} is the same for {} of the merged threads: loaded once.", array, list), roles});
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(run.start) + index, comment);
    run.keys.insert(run.keys.begin() + index, run.keys[static_cast<size_t>(index)]);
  }
};

}  // namespace

LoadsOnce loadOnce(const StmtPtr& body, const Replicas& replicas, Names& names,
                   const std::array<ConstantRole, 3>& along) {
  LoadHoister hoister(body, replicas, names, along);
  StmtPtr now = hoister.within(body, 0);
  return {now, std::move(hoister.arrays)};
}

}  // namespace hone::passes
