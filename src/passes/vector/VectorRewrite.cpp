#include "passes/vector/VectorRewrite.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/Names.h"
#include "passes/edit/Say.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/vector/ChooseByBlock.h"
#include "passes/vector/TidyParts.h"

namespace hone::passes {

using namespace ir;

namespace {

using Where = std::pair<const Stmt*, const Expr*>;

// One element of a vector, as the type that elements of the array have.
ExprPtr lane(const ExprPtr& vector, unsigned number, const TypePtr& as) {
  return convert(makeExpr(vector->type->element, Swizzle{vector, {uint8_t(number)}}), as, true);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

const char* inWords(unsigned lanes) {
  return lanes == 2 ? "pair" : lanes == 4 ? "four" : lanes == 8 ? "eight" : "sixteen";
}

// The loop with its accesses in arrays of the thread's own, without the conditions that hold in all
// iterations.
class LoopVersion : public Renaming {
 public:
  LoopVersion(const VectorFacts& facts, const LoopGroup& loopGroup, const std::vector<VarPtr>& parts)
      : group(loopGroup) {
    for (size_t i = 0; i < group.parts.size(); ++i)
      for (const affine::AccessId access : group.parts[i].accesses)
        places[{facts.model.accesses[access].stmt.get(), facts.model.accesses[access].place.get()}] =
            parts[i];
    // Both versions of the loop have variables of their own.
    if (group.allHold) renewDeclared({group.loop});
  }

  StmtPtr run() {
    StmtPtr made = Rewriter::rewrite(group.loop).front();
    For loop = *as<For>(made);
    loop.unroll = -1;
    return makeStmt(std::move(loop), group.loop->loc);
  }

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    if (auto part = places.find({current, e.get()}); part != places.end())
      return subscript(ref(part->second), {ref(mapVar(group.var))}, e->loc);
    if (const auto* select = as<Select>(e); select && group.selections.contains(select->cond.get()))
      return rewrite(select->yes);
    return Rewriter::rewrite(e);
  }
  StmtList rewrite(const StmtPtr& s) override {
    const Stmt* outer = std::exchange(current, s.get());
    StmtList made;
    if (group.ifs.contains(s.get())) {
      for (const StmtPtr& inner : as<Block>(as<If>(s)->then)->stmts)
        for (StmtPtr& one : rewrite(inner)) made.push_back(std::move(one));
    } else {
      made = Rewriter::rewrite(s);
    }
    current = outer;
    return made;
  }

 private:
  const LoopGroup& group;
  std::map<Where, VarPtr> places;
  const Stmt* current = nullptr;
};

// One that a reader sees at once, however often it is written: `2 * i`.
bool isShort(const ExprPtr& subscript) {
  size_t operators = 0;
  walkExprs(subscript, [&](const Expr& e) { operators += e.is<Binary>() ? 1 : 0; });
  return operators < 2;
}

class Widen : public Rewriter {
 public:
  Widen(const VectorFacts& vectorFacts, const VectorGroups& all)
      : facts(vectorFacts), model(vectorFacts.model), names(*vectorFacts.model.kernel) {
    for (const LoopGroup& group : all.loops) loops[group.loop.get()] = &group;
    for (const StraightGroup& group : all.straight) group.isStore ? addStores(group) : addLoads(group);
    for (const auto& [array, bytes] : all.alignedShared) {
      const VarPtr& var = model.arrays[array].var;
      if (var->alignment >= bytes) continue;
      auto copy = std::make_shared<Variable>(*var);
      copy->alignment = bytes;
      aligned[var.get()] = copy;
    }
  }

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    auto found = places.find({current, e.get()});
    return found == places.end() ? Rewriter::rewrite(e) : found->second;
  }

  StmtList rewrite(const StmtPtr& s) override {
    const Stmt* outer = std::exchange(current, s.get());
    StmtList made;
    if (auto loads = before.find(s.get()); loads != before.end())
      for (const StmtPtr& load : loads->second)
        for (StmtPtr& one : finish.rewriteAll(load, *this)) made.push_back(std::move(one));
    if (auto store = stores.find(s.get()); store != stores.end())
      replaceStore(s, *store->second, made);
    else if (auto loop = loops.find(s.get()); loop != loops.end())
      replaceLoop(*loop->second, made);
    else
      for (StmtPtr& one : Rewriter::rewrite(s)) made.push_back(std::move(one));
    current = outer;
    return made;
  }

 protected:
  VarPtr mapVar(const VarPtr& v) override {
    auto found = aligned.find(v.get());
    return found == aligned.end() ? v : found->second;
  }

 private:
  struct Store {
    const StraightGroup* group = nullptr;
    std::map<unsigned, ExprPtr> values;  // by lane
  };

  const std::string& nameOf(affine::ArrayId array) const { return model.arrays[array].name; }
  ExprPtr wideAt(const ExprPtr& place, affine::ArrayId array, unsigned lanes, bool isConst) const {
    return facts.wide(place, array, lanes, isConst);
  }
  // Declares a vector variable with what the elements from `place` on hold.
  VarPtr load(const ExprPtr& place, affine::ArrayId array, unsigned lanes, StmtList& to) {
    VarPtr vector =
        makeLocal(names, nameOf(array) + "_" + inWords(lanes), facts.vectorOf(place->type, lanes), true);
    to.push_back(makeStmt(Declare{vector, wideAt(place, array, lanes, true)}, place->loc));
    return vector;
  }

  // The first access of an array says it for all.
  void sayOnce(const StraightGroup& group, StmtList& to) {
    if (!said.insert({group.array, group.isStore}).second) return;
    to.push_back(say(fmt::format("{} elements of {} in one access.", group.lanes, nameOf(group.array))));
  }

  void addLoads(const StraightGroup& group) {
    StmtList& to = before[group.at.get()];
    sayOnce(group, to);
    const VarPtr vector = load(group.place, group.array, group.lanes, to);
    for (const auto& [access, number] : group.members)
      places[{model.accesses[access].stmt.get(), model.accesses[access].place.get()}] = lane(
          ref(vector), HONE_SEED(VectorLanesTurned, number, group.lanes - 1 - number), group.place->type);
  }

  void addStores(const StraightGroup& group) {
    auto store = std::make_shared<Store>();
    store->group = &group;
    for (const auto& [access, number] : group.members) {
      stores[model.accesses[access].stmt.get()] = store;
      laneOf[model.accesses[access].stmt.get()] = number;
    }
  }

  void replaceStore(const StmtPtr& s, Store& store, StmtList& made) {
    const StraightGroup& group = *store.group;
    const auto* assign = as<Assign>(s);
    const unsigned number = laneOf[s.get()];
    ExprPtr value = rewrite(assign->value);
    if (!group.isAdjacent) {
      VarPtr kept = makeLocal(names, fmt::format("{}_{}", nameOf(group.array), number), value->type, true);
      made.push_back(makeStmt(Declare{kept, value}, s->loc));
      value = ref(kept);
    }
    store.values[number] = value;
    if (s != group.at) return;
    std::vector<ExprPtr> parts;
    for (const auto& [at, one] : store.values) parts.push_back(one);
    sayOnce(group, made);
    const TypePtr type = facts.vectorOf(assign->place->type, group.lanes);
    for (ExprPtr& part : parts) part = convert(part, type->element, true);
    const ExprPtr place = Rewriter::rewrite(wideAt(group.place, group.array, group.lanes, false));
    made.push_back(ir::assign(place, makeExpr(type, Construct{std::move(parts)}), s->loc));
  }

  // With a name for each subscript that would be written several times.
  std::vector<LoopPart> withNamedSubscripts(std::vector<LoopPart> parts, StmtList& to) {
    struct Use {
      ExprPtr subscript;
      std::vector<ExprPtr*> places;
      size_t times = 0;
    };
    std::vector<Use> uses;
    for (LoopPart& part : parts)
      for (ExprPtr& place : part.places) {
        const auto* element = as<Subscript>(place);
        if (!element || element->indices.size() != 1 || isShort(element->indices.front())) continue;
        const ExprPtr& index = element->indices.front();
        auto use =
            std::find_if(uses.begin(), uses.end(), [&](const Use& u) { return equal(u.subscript, index); });
        if (use == uses.end()) use = uses.insert(use, Use{index, {}, 0});
        use->places.push_back(&place);
        use->times += size_t(part.isLoaded) + size_t(part.isStored);
      }
    for (const Use& use : uses) {
      if (use.times < 2) continue;
      const VarPtr first = makeLocal(names, "first", use.subscript->type, true);
      to.push_back(makeStmt(Declare{first, use.subscript}, (*use.places.front())->loc));
      for (ExprPtr* place : use.places)
        *place = subscript(as<Subscript>(*place)->base, {ref(first)}, (*place)->loc);
    }
    return parts;
  }

  void replaceLoop(const LoopGroup& group, StmtList& made) {
    StmtList wide;
    std::vector<VarPtr> parts;
    std::vector<std::string> loaded, stored;
    const std::vector<LoopPart> touched = withNamedSubscripts(group.parts, wide);
    for (const LoopPart& part : touched) {
      (part.isStored ? stored : loaded).push_back(nameOf(part.array));
      const TypePtr element = part.places.front()->type;
      const bool isCarried = !facts.hasVectorOf(*element, part.lanes);
      VarPtr own = makeLocal(names, nameOf(part.array) + "_part", arrayType(element, group.iterations),
                             !part.isStored && !isCarried);
      ExprPtr init;
      if (isCarried) {
        auto carried = std::make_shared<Variable>(*own);
        carried->alignment = part.lanes * facts.bytesOf(part.array);
        own = carried;
      } else if (part.isLoaded) {
        Construct values;
        for (const ExprPtr& place : part.places) {
          const VarPtr vector = load(place, part.array, part.lanes, wide);
          for (unsigned number = 0; number < part.lanes; ++number)
            values.parts.push_back(lane(ref(vector), number, element));
        }
        init = makeExpr(own->type, std::move(values));
      }
      wide.push_back(makeStmt(Declare{own, init}));
      parts.push_back(own);
      if (isCarried && part.isLoaded) carry(part, own, false, wide);
    }
    // Subscripts that only the accesses used are gone with them.
    const StmtPtr version = withoutDeadCode(ir::block({LoopVersion(facts, group, parts).run()}), {});
    // A loop that loads what nobody uses goes as a whole.
    if (as<Block>(version)->stmts.empty()) return;
    wide.push_back(as<Block>(version)->stmts.front());
    for (size_t i = 0; i < parts.size(); ++i)
      if (touched[i].isStored) storeBack(touched[i], parts[i], wide);
    std::string what = loaded.empty() ? "" : "loads of " + listed(loaded);
    if (!stored.empty()) what += (what.empty() ? "stores of " : ", stores of ") + listed(stored);
    const std::string comment = fmt::format("Several elements in one access: {}.", what);
    StmtList all;
    if (!group.allHold) {
      all.push_back(say(comment));
      all.insert(all.end(), wide.begin(), wide.end());
    } else {
      wide.insert(wide.begin(), say(comment));
      const std::string words = group.isTested
                                    ? "At the edge, and where arrays are not aligned, one element at a time."
                                    : "At the edge one element at a time.";
      const StmtPtr single = ir::block({say(words), group.loop});
      all.push_back(makeStmt(If{group.allHold, ir::block(std::move(wide)), single}, group.loop->loc));
    }
    for (const StmtPtr& one : all)
      for (StmtPtr& done : finish.rewriteAll(one, *this)) made.push_back(std::move(done));
  }

  // Between memory and an array of the thread's own, as integers of the size of an access.
  void carry(const LoopPart& part, const VarPtr& own, bool isStore, StmtList& wide) const {
    const TypePtr carrier = VectorFacts::carrierOf(part.lanes * facts.bytesOf(part.array));
    int64_t next = 0;
    for (const ExprPtr& place : part.places) {
      const ExprPtr first = addressOf(subscript(ref(own), {intLit(next)}), Space::Private);
      const ExprPtr kept = deref(convert(first, pointerType(carrier, Space::Private, isStore), true));
      const ExprPtr memory = wideAt(place, part.array, part.lanes, !isStore);
      wide.push_back(isStore ? ir::assign(memory, kept) : ir::assign(kept, memory));
      next += HONE_SEED(VectorCarriesSameLanes, part.lanes, 0u);
    }
  }

  void storeBack(const LoopPart& part, const VarPtr& own, StmtList& wide) const {
    if (own->alignment) return carry(part, own, true, wide);
    int64_t next = 0;
    for (const ExprPtr& place : part.places) {
      const TypePtr type = facts.vectorOf(place->type, part.lanes);
      Construct values;
      for (unsigned number = 0; number < part.lanes; ++number)
        values.parts.push_back(convert(subscript(ref(own), {intLit(next++)}), type->element, true));
      wide.push_back(
          ir::assign(wideAt(place, part.array, part.lanes, false), makeExpr(type, std::move(values))));
    }
  }

  // Renames shared arrays in statements made here.
  struct Finish : Rewriter {
    Widen* owner = nullptr;
    VarPtr mapVar(const VarPtr& v) override { return owner->mapVar(v); }
    StmtList rewriteAll(const StmtPtr& s, Widen& widen) {
      owner = &widen;
      return rewrite(s);
    }
  };

  const VectorFacts& facts;
  const affine::KernelModel& model;
  Names names;
  std::map<const Stmt*, const LoopGroup*> loops;
  std::map<Where, ExprPtr> places;
  std::map<const Stmt*, StmtList> before;
  std::map<const Stmt*, std::shared_ptr<Store>> stores;
  std::map<const Stmt*, unsigned> laneOf;
  std::set<std::pair<affine::ArrayId, bool>> said;
  std::map<const Variable*, VarPtr> aligned;
  Finish finish;
  const Stmt* current = nullptr;
};

}  // namespace

KernelPtr withWideAccesses(const VectorFacts& facts, const VectorGroups& given) {
  auto copy = std::make_shared<Kernel>(*facts.model.kernel);
  VectorGroups groups = given;
  const StmtPtr body = chooseByBlock(*facts.model.kernel, groups);
  copy->body = withoutPartCopies(Widen(facts, groups).rewriteBlock(body));
  return copy;
}

}  // namespace hone::passes
