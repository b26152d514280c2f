#include "passes/vector/VectorGroups.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/DeadCode.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

struct GroupCandidate {
  affine::AccessId access;
  size_t at = 0;  // of its statement in the list
};

// What a statement and all below it may do to what others see, beside the accesses that the model lists.
struct Effects {
  bool orders = false;  // barriers, fences, exchanges, calls that write
  bool leaves = false;  // return, break, continue
};

Effects effectsOf(const StmtPtr& s) {
  Effects e;
  walkStmts(s, [&](const Stmt& one) {
    e.orders = e.orders || one.is<Barrier>() || one.is<Fence>();
    e.leaves = e.leaves || one.is<Return>() || one.is<Break>() || one.is<Continue>();
  });
  walkExprs(s, [&](const Expr& one) {
    const auto* call = one.as<Call>();
    if (!call) return;
    e.orders = e.orders || synchronizes(*call) || writesMemory(*call);
  });
  return e;
}

// The last index less so many elements.
ExprPtr lessLanes(const ExprPtr& index, int64_t lanes) {
  if (!lanes) return index;
  if (const auto* cast = as<Cast>(index);
      cast && cast->operand->type->isInteger() && sizeOf(*cast->operand->type) <= sizeOf(*index->type))
    return makeExpr(index->type, Cast{lessLanes(cast->operand, lanes), cast->isExplicit}, index->loc);
  const auto* sum = as<Binary>(index);
  if (sum && sum->op == BinaryOp::Add) {
    if (const auto number = constantValue(sum->rhs))
      return plus(sum->lhs, intLit(*number - lanes, sum->rhs->type));
    if (const auto number = constantValue(sum->lhs))
      return plus(intLit(*number - lanes, sum->lhs->type), sum->rhs);
  }
  if (const auto number = constantValue(index)) return intLit(*number - lanes, index->type);
  return binary(BinaryOp::Sub, index, intLit(lanes, index->type));
}

class GroupFinder {
 public:
  explicit GroupFinder(const VectorFacts& vectorFacts) : facts(vectorFacts), model(vectorFacts.model) {}
  VectorGroups groups;

  void list(const StmtList& stmts) {
    StmtList below;
    for (const StmtPtr& s : stmts) {
      if (s->is<For>()) {
        // Of elements that nobody uses no access is left.
        if (as<Block>(withoutDeadCode(ir::block({s}), {}))->stmts.empty()) continue;
        if (auto group = loopGroup(facts, s, groups)) {
          groups.loops.push_back(std::move(*group));
          continue;
        }
      }
      nested(s);
    }
    Region region(*this, stmts);
    region.run();
  }

 private:
  void nested(const StmtPtr& s) {
    if (const auto* block = as<Block>(s)) return list(block->stmts);
    if (const auto* choice = as<Switch>(s)) {
      for (const SwitchCase& one : choice->cases) list(one.body);
      return;
    }
    forEachChild(*s, [this](const StmtPtr& child) {
      if (child->is<Block>()) list(as<Block>(child)->stmts);
    });
  }

  // One list of statements in order; what is open may still be joined by later accesses.
  struct Region {
    Region(GroupFinder& finder, const StmtList& list)
        : owner(finder), facts(finder.facts), model(finder.model), stmts(list) {}

    void run() {
      for (size_t i = 0; i < stmts.size(); ++i) statement(i);
      flushAll();
    }

   private:
    bool isInLoopGroup(const StmtPtr& s) const {
      const auto& all = owner.groups.loops;
      return std::any_of(all.begin(), all.end(), [&](const LoopGroup& g) { return g.loop == s; });
    }

    void statement(size_t i) {
      const StmtPtr& s = stmts[i];
      const bool isSimple = s->is<Declare>() || s->is<Assign>() || s->is<Eval>() || s->is<If>();
      const std::vector<affine::AccessId> all = facts.accessesBelow(s);
      const std::vector<affine::AccessId>& own = facts.accessesOf(*s);
      const Effects effects = effectsOf(s);
      auto isOwn = [&](affine::AccessId access) {
        return std::find(own.begin(), own.end(), access) != own.end();
      };
      // Loads come first: stores that are waiting must be done before a load that may see them.
      for (const affine::AccessId access : all) {
        if (!model.accesses[access].reads()) continue;
        closeStores(access);
        const bool joins = isSimple && isOwn(access) && model.accesses[access].mode == AccessMode::Read &&
                           facts.isPlain(access) && facts.conditionsOf(access).empty();
        if (joins) joinLoads(access, i);
      }
      const auto* assign = as<Assign>(s);
      for (const affine::AccessId access : all) {
        if (!model.accesses[access].writes()) continue;
        closeLoads(access);
        const bool joins = assign && !assign->op && isOwn(access) && facts.isPlain(access) &&
                           assign->place == model.accesses[access].place;
        joins ? joinStores(access, i) : closeStores(access);
        written.push_back({access, i});
      }
      if (effects.orders || effects.leaves || isInLoopGroup(s)) flushAll();
    }

    bool meets(affine::AccessId open, affine::AccessId access) const {
      const affine::Access &a = model.accesses[open], &b = model.accesses[access];
      if (b.array.isNone()) return true;
      if (a.array != b.array) return facts.mayOverlap(a.array, b.array);
      return !b.isResolved() || !VectorFacts::isApart(a.address, b.address, std::max(a.bytes, b.bytes));
    }

    void closeLoads(affine::AccessId store) {
      for (auto& [array, open] : loads) {
        const bool hit = std::any_of(open.begin(), open.end(),
                                     [&](const GroupCandidate& c) { return meets(c.access, store); });
        if (hit) flush(array, open, false);
      }
    }
    // All are loaded where the first of them is: one that something was stored to since then begins anew.
    void joinLoads(affine::AccessId load, size_t at) {
      std::vector<GroupCandidate>& open = loads[model.accesses[load].array];
      const bool isStale =
          !open.empty() && std::any_of(written.begin(), written.end(), [&](const GroupCandidate& store) {
            return store.at >= open.front().at && meets(load, store.access);
          });
      if (isStale) flush(model.accesses[load].array, open, false);
      open.push_back({load, at});
    }
    void closeStores(affine::AccessId access) {
      for (auto& [array, open] : stores) {
        const bool hit = std::any_of(open.begin(), open.end(),
                                     [&](const GroupCandidate& c) { return meets(c.access, access); });
        if (hit) flush(array, open, true);
      }
    }
    void joinStores(affine::AccessId store, size_t at) {
      closeStores(store);
      stores[model.accesses[store].array].push_back({store, at});
    }
    void flushAll() {
      for (auto& [array, open] : loads) flush(array, open, false);
      for (auto& [array, open] : stores) flush(array, open, true);
    }

    void flush(affine::ArrayId array, std::vector<GroupCandidate>& open, bool isStore) {
      std::vector<GroupCandidate> left = std::move(open);
      open.clear();
      for (unsigned lanes = facts.mostVectorLanes(array); lanes >= 2; lanes /= 2)
        form(array, left, isStore, lanes);
    }

    // Takes full vectors of so many lanes out of the candidates.
    void form(affine::ArrayId array, std::vector<GroupCandidate>& left, bool isStore, unsigned lanes) {
      const int64_t bytes = facts.bytesOf(array), whole = bytes * lanes;
      struct Bucket {
        std::vector<std::pair<GroupCandidate, unsigned>> members;
        unsigned seen = 0;
      };
      std::map<std::pair<Poly, int64_t>, Bucket> buckets;
      for (const GroupCandidate& one : left) {
        const Poly& address = model.accesses[one.access].address;
        const int64_t constant = address.constantPart();
        Bucket& bucket = buckets[{address - Poly(constant), affine::floorDiv(constant, whole)}];
        const int64_t within = affine::floorMod(constant, whole);
        if (within % bytes) continue;
        bucket.members.emplace_back(one, unsigned(within / bytes));
        bucket.seen |= 1u << (within / bytes);
      }
      for (auto& [key, bucket] : buckets) {
        if (bucket.seen != (1u << lanes) - 1) continue;
        if (isStore && bucket.members.size() != lanes) continue;
        StraightGroup group{array, isStore, lanes, {}, nullptr, false, nullptr, nullptr};
        if (!complete(group, bucket.members, key.first + Poly(key.second * whole))) continue;
        for (const auto& [one, lane] : bucket.members)
          std::erase_if(left, [&, id = one.access](const GroupCandidate& c) { return c.access == id; });
        if (model.arrays[array].space == Space::Shared) {
          unsigned& needed = owner.groups.alignedShared[array];
          needed = std::max(needed, unsigned(whole));
        }
        owner.groups.straight.push_back(std::move(group));
      }
    }

    bool complete(StraightGroup& group, const std::vector<std::pair<GroupCandidate, unsigned>>& members,
                  const Poly& start) {
      const auto condition = facts.aligned(group.array, start, group.lanes * facts.bytesOf(group.array));
      if (!condition) {
        if (!owner.groups.leftOut) owner.groups.leftOut = condition.refusal();
        return false;
      }
      group.condition = *condition;
      for (const auto& [one, lane] : members) group.members.emplace_back(one.access, lane);
      // The place is written with the subscript of the access that stands where the wide one will.
      const auto& anchor = group.isStore ? members.back() : members.front();
      group.at = stmts[anchor.first.at];
      group.isAdjacent = members.back().first.at - members.front().first.at + 1 == members.size();
      const ExprPtr& place = model.accesses[anchor.first.access].place;
      group.place = place;
      for (const auto& [one, lane] : members)
        if (lane == 0 && isSteady(model.accesses[one.access].place, one.at, anchor.first.at)) {
          group.place = model.accesses[one.access].place;
          return true;
        }
      const auto* element = as<Subscript>(place);
      std::vector<ExprPtr> indices = element->indices;
      indices.back() = lessLanes(indices.back(), anchor.second);
      group.place = subscript(element->base, std::move(indices), place->loc);
      return true;
    }

    // Whether a place written in one statement of the list means the same in another.
    bool isSteady(const ExprPtr& place, size_t from, size_t to) const {
      if (from == to) return true;
      if (!accesses(place, AccessMode::Address).empty() && accesses(place, AccessMode::Address).size() > 1)
        return false;  // its subscripts are loaded
      std::set<const Variable*> changed;
      for (size_t i = std::min(from, to); i <= std::max(from, to); ++i) {
        const std::set<const Variable*> assigned = assignedVariables(stmts[i]),
                                        declared = declaredVariables(stmts[i]);
        changed.insert(assigned.begin(), assigned.end());
        changed.insert(declared.begin(), declared.end());
      }
      bool steady = true;
      walkExprs(place, [&](const Expr& e) {
        const auto* var = e.as<VarRef>();
        steady = steady && !(var && changed.contains(var->var.get()) && !var->var->type->is(TypeKind::Array));
      });
      return steady;
    }

    GroupFinder& owner;
    const VectorFacts& facts;
    const affine::KernelModel& model;
    const StmtList& stmts;
    std::map<affine::ArrayId, std::vector<GroupCandidate>> loads, stores;
    std::vector<GroupCandidate> written;  // all stores so far, in whatever statement
  };

  const VectorFacts& facts;
  const affine::KernelModel& model;
};

}  // namespace

VectorGroups vectorGroups(const VectorFacts& facts) {
  GroupFinder finder(facts);
  finder.list(as<Block>(facts.model.kernel->body)->stmts);
  return std::move(finder.groups);
}

}  // namespace hone::passes
