#include "device/KernelFacts.h"

#include <algorithm>

#include "device/ValueFlow.h"
#include "ir/Build.h"
#include "ir/InlineCalls.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::device {

using namespace ir;

namespace {

int64_t roundedBlock(int64_t extent) { return extent >= 8 ? extent / 8 * 8 : extent; }

class FactFinder {
 public:
  explicit FactFinder(const KernelPtr& kernel) {
    facts.inlined = inlineCalls(kernel, [](const Function&) { return true; });
    for (const ParameterLeaf& leaf : parameterLeaves(*facts.inlined)) {
      if (leaf.isWhole()) facts.roles[leaf.path] = ScalarRole::Plain;
      if (leaf.isNumber()) numbers.insert(leaf.path);
      if (leaf.type->isPointer()) facts.arrays[leaf.path].isVolatile = leaf.type->isVolatile;
    }
  }

  KernelFacts run() {
    flows.follow();
    walkExprs(facts.inlined->body, [this](const Expr& e) { lookAt(e); });
    walkStmts(facts.inlined->body, [this](const Stmt& s) { lookAt(s); });
    walkStmts(facts.inlined->body, [this](const Stmt& s) {
      if (const auto* f = s.as<For>()) loopOverEntries(*f);
      if (const auto* w = s.as<While>()) loopOverEntries(*w);
    });
    return std::move(facts);
  }

 private:
  Flow flowOf(const ExprPtr& e) { return flows.of(e); }

  // --- what the flows tell

  void lookAt(const Expr& e) {
    if (const auto* literal = e.as<IntLiteral>()) mayBeExtent(literal->value);
    if (const auto* c = e.as<Coord>()) {
      unsigned bit = 1u << c->axis;
      if (c->kind == CoordKind::ThreadIdx || c->kind == CoordKind::GlobalId) facts.used.thread |= bit;
      if (c->kind == CoordKind::BlockIdx || c->kind == CoordKind::GlobalId) facts.used.block |= bit;
      if (c->kind == CoordKind::GridDim || c->kind == CoordKind::GlobalSize) facts.gridAxes |= bit;
    }
    if (const auto* var = e.as<VarRef>(); var && var->var->storage == Storage::Global) {
      facts.globals[var->var->name] = var->var;
      facts.arrays[var->var->name];
    }
    if (const auto* call = e.as<Call>()) atomicCall(*call);
    if (const auto* choice = e.as<Select>()) decides(choice->cond);
    const auto* b = e.as<Binary>();
    if (!b) return;
    if (isOrder(b->op)) compare(*b);
    comparedParameter(*b);
    if ((b->op == BinaryOp::Div || b->op == BinaryOp::Rem) && e.type->isInteger()) {
      Flow divisor = flowOf(b->rhs);
      for (const std::string& array : divisor.loaded)
        if (facts.arrays.contains(array)) facts.arrays[array].isDivisor = true;
      for (const std::string& param : divisor.params) raise(param, ScalarRole::Pitch);
    }
    if (b->op == BinaryOp::Add) blockTimesConstant(*b);
    const bool isOfBits = b->op == BinaryOp::Shl || b->op == BinaryOp::Shr || b->op == BinaryOp::BitAnd ||
                          b->op == BinaryOp::BitOr || b->op == BinaryOp::BitXor;
    if (isOfBits) mark(b->lhs, &ArrayFacts::isOfBits);
  }

  // The arrays that a value was loaded from.
  void mark(const ExprPtr& value, bool ArrayFacts::* as) {
    for (const std::string& array : flowOf(value).loaded)
      if (auto found = facts.arrays.find(array); found != facts.arrays.end()) found->second.*as = true;
  }

  void atomicCall(const Call& call) {
    if (!call.intrinsic || call.intrinsic->cls != IntrinsicClass::Atomic || call.args.empty()) return;
    const AtomicKind kind = call.intrinsic->traits.atomic;
    const bool isExtreme = kind == AtomicKind::Min || kind == AtomicKind::Max || kind == AtomicKind::And ||
                           kind == AtomicKind::Or || kind == AtomicKind::Xor;
    for (const std::string& array : flowOf(call.args[0]).points)
      if (auto found = facts.arrays.find(array); found != facts.arrays.end())
        found->second.isExtreme |= isExtreme;
  }

  void raise(const std::string& param, ScalarRole role) {
    ScalarRole& now = facts.roles[param];
    auto rank = [](ScalarRole r) {
      return r == ScalarRole::Bound ? 3 : r == ScalarRole::Pitch ? 2 : r == ScalarRole::Offset;
    };
    if (rank(role) > rank(now)) now = role;
  }

  void compare(const Binary& b) {
    Flow left = flowOf(b.lhs), right = flowOf(b.rhs);
    // `i + k < n`: the side with coordinates is the one that varies; a loop's variable has none and is no
    // guard.
    const Flow& bound = left.coords.any() && !right.coords.any() ? right : left;
    for (const Flow* side : {&left, &right})
      for (const std::string& param : side->params) {
        bool isBound = side == &bound || !side->coords.any();
        raise(param, isBound ? ScalarRole::Bound : ScalarRole::Offset);
      }
    if (left.coords.any() == right.coords.any()) return;
    if (!bound.loaded.empty()) return;
    const Flow& varying = &bound == &left ? right : left;
    facts.guards.push_back({varying.coords, &bound == &left ? b.lhs : b.rhs, bound.params});
  }

  // blockIdx.x * 256 + threadIdx.x: the block has 256 threads along x.
  void blockTimesConstant(const Binary& b) {
    for (const auto& [product, other] : {std::pair(b.lhs, b.rhs), std::pair(b.rhs, b.lhs)}) {
      const auto* mul = as<Binary>(stripCasts(product));
      if (!mul || mul->op != BinaryOp::Mul) continue;
      for (const auto& [index, factor] : {std::pair(mul->lhs, mul->rhs), std::pair(mul->rhs, mul->lhs)}) {
        const auto* c = as<Coord>(stripCasts(index));
        if (!c) {
          const auto* var = as<VarRef>(stripCasts(index));
          auto defined = var ? facts.definitions.find(var->var.get()) : facts.definitions.end();
          if (defined != facts.definitions.end()) c = as<Coord>(stripCasts(defined->second));
        }
        auto value = constantValue(factor);
        if (!c || c->kind != CoordKind::BlockIdx || !value || *value < 2 || *value > 1024) continue;
        CoordUse coords = flowOf(other).coords;
        if ((coords.thread & (1u << c->axis)) && coords.block == 0 && facts.blockHint[c->axis] == 0)
          facts.blockHint[c->axis] = *value;
      }
    }
  }

  static ExprPtr stripCasts(ExprPtr e) {
    while (const auto* cast = as<Cast>(e)) e = cast->operand;
    return e;
  }

  // The number among the parameters that an expression is, "" for anything else.
  std::string decidingParameter(const ExprPtr& e) const {
    const ExprPtr plain = stripCasts(e);
    const std::string path = pathOf(plain);
    const bool isNumber = plain->type->is(TypeKind::Bool) || plain->type->isInteger();
    return isNumber && numbers.contains(path) ? path : "";
  }
  // `flag`, `!flag`, `a && flag`: both values.
  void decides(const ExprPtr& cond) {
    if (!cond) return;
    if (const std::string path = decidingParameter(cond); !path.empty())
      facts.decidingValues[path].insert({0, 1});
    if (const auto* b = as<Binary>(cond);
        b && (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr))
      decides(b->lhs), decides(b->rhs);
    if (const auto* u = as<Unary>(cond); u && u->op == UnaryOp::Not) decides(u->operand);
  }
  void comparedParameter(const Binary& b) {
    const bool isEquality = b.op == BinaryOp::Eq || b.op == BinaryOp::Ne;
    if (!isEquality && !isOrder(b.op)) return;
    for (const auto& [side, other] : {std::pair(b.lhs, b.rhs), std::pair(b.rhs, b.lhs)}) {
      const std::string path = decidingParameter(side);
      const auto value = path.empty() ? std::nullopt : constantValue(stripCasts(other));
      if (value && *value > -1000 && *value < 100'000)
        facts.decidingValues[path].insert({*value, *value + 1, isEquality ? *value : *value - 1});
    }
  }
  void switchOn(const ir::Switch& s) {
    const std::string path = decidingParameter(s.value);
    if (path.empty()) return;
    int64_t highest = 0;
    for (const SwitchCase& one : s.cases)
      for (const ExprPtr& value : one.values)
        if (const auto number = constantValue(value)) {
          facts.decidingValues[path].insert(*number);
          highest = std::max(highest, *number);
        }
    facts.decidingValues[path].insert(highest + 1);
  }

  // Values in a condition decide what is executed.
  void steer(const ExprPtr& cond) {
    decides(cond);
    mark(cond, &ArrayFacts::steers);
  }
  void bound(const ExprPtr& cond) {
    steer(cond);
    mark(cond, &ArrayFacts::boundsLoops);
    mark(cond, &ArrayFacts::steersAccesses);
  }

  // Whether statements under a condition touch memory, or leave others out that may.
  static bool decidesAccesses(const StmtPtr& body) {
    bool found = false;
    if (!body) return found;
    walkStmts(body, [&](const Stmt& s) {
      found |= s.is<Return>() || s.is<Break>() || s.is<Continue>();
      for (const Access& access : accesses(s)) {
        const auto* element = access.place->as<Subscript>();
        const auto* var = element ? element->base->as<VarRef>() : nullptr;
        const bool isOwn = var && var->var->space == Space::Private && var->var->type->is(TypeKind::Array);
        found |= !isOwn;
      }
    });
    return found;
  }

  void lookAt(const Stmt& s) {
    if (const auto* i = s.as<If>()) {
      steer(i->cond);
      if (decidesAccesses(i->then) || decidesAccesses(i->otherwise))
        mark(i->cond, &ArrayFacts::steersAccesses);
    }
    if (const auto* f = s.as<For>()) bound(f->cond);
    if (const auto* w = s.as<While>()) bound(w->cond);
    if (const auto* d = s.as<DoWhile>()) {
      bound(d->cond);
      boundsOf(d->cond);
    }
    if (const auto* i = s.as<If>(); i && endsLoop(*i)) {
      facts.ofLoops.merge(flowOf(i->cond).params);
      mark(i->cond, &ArrayFacts::boundsLoops);
    }
    if (const auto* w = s.as<ir::Switch>()) steer(w->value), switchOn(*w);
    for (const Access& access : accesses(s)) lookAt(access);
    if (const auto* f = s.as<For>()) {
      for (const StmtPtr& one : f->init)
        for (const Access& access : accesses(*one)) lookAt(access);
      for (const StmtPtr& one : f->step)
        for (const Access& access : accesses(*one)) lookAt(access);
    }
  }

  static bool endsLoop(const If& branch) {
    bool found = false;
    for (const StmtPtr& side : {branch.then, branch.otherwise})
      if (side) walkStmts(side, [&](const Stmt& s) { found = found || s.is<Break>(); });
    return found;
  }

  // Parameters in the condition of a loop are sizes also where no comparison is in sight.
  void boundsOf(const ExprPtr& cond) {
    for (const std::string& param : flowOf(cond).params) {
      raise(param, ScalarRole::Bound);
      facts.ofLoops.insert(param);
    }
  }

  // for (j = row[i]; j < row[i + 1]; …): row rises. for (j = first[i]; j < last[i]; …): both do.
  void loopOverEntries(const For& f) {
    boundsOf(f.cond);
    const auto* cond = as<Binary>(f.cond);
    if (!cond) return;
    std::set<std::string> begins;
    std::set<const Variable*> counters;
    for (const StmtPtr& one : f.init) {
      const auto* d = one->as<Declare>();
      const auto* a = one->as<Assign>();
      const auto* place = a ? as<VarRef>(a->place) : nullptr;
      if (d || place) counters.insert(d ? d->var.get() : place->var.get());
      ExprPtr value = d ? d->init : a ? a->value : nullptr;
      if (value) begins.merge(flowOf(value).loaded);
    }
    const Flow left = flowOf(cond->lhs), right = flowOf(cond->rhs);
    countOfEntries(*cond);
    // A counter set before the loop.
    if (begins.empty()) return risesInBoth(left, right, false);
    Flow both = left;
    both.add(right);
    for (const std::string& array : begins)
      if (both.loaded.contains(array) && facts.arrays.contains(array) && boundsLoaded(cond, array))
        facts.arrays[array].use = IndexUse::Offsets;
    const auto* counter = as<VarRef>(stripCasts(cond->lhs));
    const bool isLeft = counter && counters.contains(counter->var.get());
    beginsAndEnds(begins, (isLeft ? right : left).loaded);
  }

  void loopOverEntries(const While& w) {
    boundsOf(w.cond);
    for (const ExprPtr& test : conjuncts(w.cond)) {
      const auto* cond = as<Binary>(test);
      if (!cond || !isOrder(cond->op)) continue;
      const Flow left = flowOf(cond->lhs), right = flowOf(cond->rhs);
      risesInBoth(left, right, true);
      const bool isUp = cond->op == BinaryOp::Lt || cond->op == BinaryOp::Le;
      const Flow &begin = isUp ? left : right, &end = isUp ? right : left;
      if (begin.loaded.size() == 1 && indexesMemory(*begin.loaded.begin()))
        beginsAndEnds(begin.loaded, end.loaded);
    }
  }

  static bool isOrder(BinaryOp op) {
    return op == BinaryOp::Lt || op == BinaryOp::Le || op == BinaryOp::Gt || op == BinaryOp::Ge;
  }

  // Values that are compared with each other rise only where they are places in memory.
  void risesInBoth(const Flow& left, const Flow& right, bool onlyIndexes) {
    for (const std::string& array : left.loaded)
      if (right.loaded.contains(array) && facts.arrays.contains(array) &&
          (!onlyIndexes || indexesMemory(array)))
        facts.arrays[array].use = IndexUse::Offsets;
  }

  void beginsAndEnds(const std::set<std::string>& begins, const std::set<std::string>& ends) {
    if (begins.size() != 1 || ends.size() != 1 || begins == ends) return;
    const auto begin = facts.arrays.find(*begins.begin()), end = facts.arrays.find(*ends.begin());
    if (begin == facts.arrays.end() || end == facts.arrays.end()) return;
    begin->second.use = std::max(begin->second.use, IndexUse::Offsets);
    end->second.use = std::max(end->second.use, IndexUse::OffsetEnds);
  }

  // j < row[i + 1] - row[i]: row rises.
  void countOfEntries(const Binary& cond) {
    for (const ExprPtr& side : {cond.lhs, cond.rhs}) {
      ExprPtr count = stripCasts(side);
      if (const auto* var = as<VarRef>(count))
        if (auto defined = facts.definitions.find(var->var.get()); defined != facts.definitions.end())
          count = stripCasts(defined->second);
      const auto* difference = as<Binary>(count);
      if (difference && difference->op == BinaryOp::Sub)
        risesInBoth(flowOf(difference->lhs), flowOf(difference->rhs), true);
    }
  }

  bool indexesMemory(const std::string& array) const {
    const auto found = facts.arrays.find(array);
    return found != facts.arrays.end() && !found->second.indexes.empty();
  }

  // Whether the bound itself (not the counter) was loaded from the array.
  bool boundsLoaded(const Binary* cond, const std::string& array) {
    int sides = 0;
    for (const ExprPtr& side : {cond->lhs, cond->rhs}) sides += flowOf(side).loaded.contains(array);
    return sides == 2;
  }

  void lookAt(const Access& access) {
    const auto* element = access.place->as<Subscript>();
    std::set<std::string> targets;
    Flow index;
    if (element) {
      Flow base = flowOf(element->base);
      targets = base.points;
      base.points.clear();
      base.loaded = offsetLoads(element->base);
      index = base;
      for (const ExprPtr& one : element->indices) index.add(flowOf(one));
      if (VarPtr root = rootVariable(access.place); root && !root->type->isPointer() && targets.empty())
        targets.insert(root->name);
    } else if (const auto* var = access.place->as<VarRef>()) {
      targets.insert(var->var->name);
    }
    // An address alone may be anything: the access is where it is used.
    bool writes = access.mode == AccessMode::Write || access.mode == AccessMode::ReadWrite;
    bool reads = access.mode == AccessMode::Read || access.mode == AccessMode::ReadWrite;
    for (const std::string& target : targets) {
      if (auto array = facts.arrays.find(target); array != facts.arrays.end()) {
        array->second.isRead |= reads;
        array->second.isWritten |= writes;
        array->second.isAtomic |= access.atomic;
        array->second.isFloatAtomic |= access.atomic && access.whole->type->isFloating();
        if (writes && !access.atomic && index.fromAtomic) array->second.isAppended = true;
      }
    }
    if (element) subscripts(*element, index, targets, writes, access.atomic);
  }

  // What the offset of a pointer was loaded from, the pointer itself left out.
  std::set<std::string> offsetLoads(const ExprPtr& base) { return flowOf(base).loaded; }

  void subscripts(const Subscript& element, const Flow& index, const std::set<std::string>& targets,
                  bool writes, bool atomic) {
    for (const std::string& param : index.params)
      raise(param, isFactor(element, param) ? ScalarRole::Pitch : ScalarRole::Offset);
    for (const std::string& from : index.loaded) {
      auto array = facts.arrays.find(from);
      if (array == facts.arrays.end()) continue;
      ArrayFacts& f = array->second;
      f.steers = f.steersAccesses = true;
      bool toMemory = false;
      for (const std::string& target : targets) {
        if (target == from && targets.size() > 1) continue;
        f.indexes.insert(target);
        toMemory |= facts.arrays.contains(target);
        if (int64_t extent = fixedExtent(target); extent > 0)
          f.limit = f.limit < 0 ? extent : std::min(f.limit, extent);
      }
      IndexUse use = writes && toMemory && !atomic ? IndexUse::Permutation : IndexUse::Range;
      f.use = std::max(f.use, use);
    }
    if (const auto* var = as<VarRef>(element.base); var && var->var->space == Space::Shared)
      sharedExtents(element, *var->var);
  }

  int64_t fixedExtent(const std::string& name) const {
    auto var = flows.memoryVariables().find(name);
    if (var == flows.memoryVariables().end() || !var->second->type->is(TypeKind::Array)) return -1;
    return var->second->type->extent;
  }

  // Whether the parameter multiplies or shifts something in the subscript.
  bool isFactor(const Subscript& element, const std::string& param) {
    bool found = false;
    for (const ExprPtr& index : element.indices)
      walkExprs(index, [&](const Expr& e) {
        const auto* b = e.as<Binary>();
        if (b && (b->op == BinaryOp::Mul || b->op == BinaryOp::Shl))
          found |= flowOf(b->lhs).params.contains(param) || flowOf(b->rhs).params.contains(param);
        // Through a variable: what it is computed from is not looked at again.
        if (const auto* var = e.as<VarRef>(); var && pathOf(std::make_shared<Expr>(e)) != param)
          found |= flows.ofVariable(*var->var).params.contains(param);
      });
    return found;
  }

  // tile[threadIdx.y][threadIdx.x] with fixed extents: the block is no larger.
  void sharedExtents(const Subscript& element, const Variable& var) {
    TypePtr type = var.type;
    for (const ExprPtr& index : element.indices) {
      if (!type->is(TypeKind::Array)) return;
      int64_t extent = type->extent;
      type = type->element;
      mayBeExtent(extent % 8 == 1 ? extent - 1 : extent);  // rows are often one element longer than a tile
      Flow flow = flowOf(index);
      if (extent < 1 || flow.coords.block || !flow.coords.thread || !flow.params.empty() ||
          !flow.loaded.empty())
        continue;
      int64_t room = extent - constantTerm(index);
      bool isOne = (flow.coords.thread & (flow.coords.thread - 1)) == 0;
      if (!isOne || room < 1) {
        if (room > 1) threadRoom(room);
        continue;
      }
      unsigned axis = flow.coords.thread == 1 ? 0 : flow.coords.thread == 2 ? 1 : 2;
      if (!isCoordPlus(index)) continue;
      int64_t& hint = sharedHint[axis];
      hint = hint == 0 ? room : std::min(hint, room);
      facts.blockHint[axis] =
          facts.blockHint[axis] && facts.blockHint[axis] <= room ? facts.blockHint[axis] : roundedBlock(hint);
    }
  }
  void mayBeExtent(int64_t value) {
    if (value >= 8 && value <= 1024 && value % 8 == 0) facts.constants.insert(value);
  }
  void threadRoom(int64_t room) {
    if (facts.threadsHint == 0 || room < facts.threadsHint) facts.threadsHint = room;
  }

  // c of `x + c`, 0 where there is none.
  static int64_t constantTerm(const ExprPtr& e) {
    const auto* b = as<Binary>(stripCasts(e));
    if (!b || b->op != BinaryOp::Add) return 0;
    for (const ExprPtr& side : {b->lhs, b->rhs})
      if (auto value = constantValue(side); value && *value > 0) return *value;
    return 0;
  }

  // A coordinate, a variable that holds one, or either plus a constant.
  bool isCoordPlus(const ExprPtr& e) {
    ExprPtr plain = stripCasts(e);
    if (plain->is<Coord>()) return true;
    if (const auto* var = plain->as<VarRef>()) {
      auto defined = facts.definitions.find(var->var.get());
      return defined != facts.definitions.end() && isCoordPlus(defined->second);
    }
    const auto* b = plain->as<Binary>();
    if (!b || b->op != BinaryOp::Add) return false;
    return (constantValue(b->lhs) && isCoordPlus(b->rhs)) || (constantValue(b->rhs) && isCoordPlus(b->lhs));
  }

  KernelFacts facts;
  ValueFlow flows{facts};
  std::array<int64_t, 3> sharedHint{};
  std::set<std::string> numbers;  // parameters
};

}  // namespace

KernelFacts kernelFacts(const KernelPtr& kernel) { return FactFinder(kernel).run(); }

}  // namespace hone::device
