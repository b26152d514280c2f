#include "device/KernelFacts.h"

#include <algorithm>

#include "ir/InlineCalls.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::device {

using namespace ir;

namespace {

// What a value depends on. For a pointer the same of its offset, and the arrays it may point into.
struct Flow {
  CoordUse coords;
  std::set<std::string> params;  // whole-number parameters
  std::set<std::string> loaded;  // arrays that values were loaded from
  std::set<std::string> points;  // arrays
  bool fromAtomic = false;       // what an atomic gave back
  bool add(const Flow& o) {
    auto before = size();
    coords |= o.coords;
    params.insert(o.params.begin(), o.params.end());
    loaded.insert(o.loaded.begin(), o.loaded.end());
    points.insert(o.points.begin(), o.points.end());
    fromAtomic |= o.fromAtomic;
    return size() != before;
  }
  size_t size() const {
    return params.size() + loaded.size() + points.size() + coords.thread * 64 + coords.block * 512 +
           (fromAtomic ? 4096 : 0);
  }
};

int64_t roundedBlock(int64_t extent) { return extent >= 8 ? extent / 8 * 8 : extent; }

class FactFinder {
 public:
  explicit FactFinder(const KernelPtr& kernel) {
    facts.inlined = inlineCalls(kernel, [](const Function&) { return true; });
    for (const ParameterLeaf& leaf : parameterLeaves(*facts.inlined)) {
      if (leaf.isWhole()) facts.roles[leaf.path] = ScalarRole::Plain;
      if (leaf.type->isPointer()) facts.arrays[leaf.path].isVolatile = leaf.type->isVolatile;
    }
  }

  KernelFacts run() {
    collectDefinitions();
    // Flows only grow, so this ends; a handful of iterations is the rule.
    for (int iteration = 0; iteration < 20; ++iteration) {
      changed = false;
      walkStmts(facts.inlined->body, [this](const Stmt& s) { propagate(s); });
      if (!changed) break;
    }
    walkExprs(facts.inlined->body, [this](const Expr& e) { lookAt(e); });
    walkStmts(facts.inlined->body, [this](const Stmt& s) { lookAt(s); });
    return std::move(facts);
  }

 private:
  // --- what values depend on

  // The name an array is known by: a parameter's path, a variable's name; shared and local ones too, for
  // their contents.
  std::string arrayName(const Variable& var) const { return var.name; }

  Flow flowOf(const ExprPtr& e) {
    Flow flow;
    if (!e) return flow;
    if (std::string path = pathOf(e); !path.empty()) {
      if (facts.roles.contains(path)) flow.params.insert(path);
      if (facts.arrays.contains(path) && e->type->isPointer()) flow.points.insert(path);
      if (const auto* var = e->as<VarRef>(); var) flow.add(variables[var->var.get()]);
      if (!flow.params.empty() || !flow.points.empty()) return flow;
    }
    if (const auto* var = e->as<VarRef>()) {
      flow = variables[var->var.get()];
      if (isMemoryArray(*var->var)) {
        known[var->var->name] = var->var;
        flow.points.insert(var->var->name);
        if (!var->var->type->is(TypeKind::Array)) flow.loaded.insert(var->var->name);
      }
      return flow;
    }
    if (const auto* c = e->as<Coord>()) {
      unsigned bit = 1u << c->axis;
      if (c->kind == CoordKind::ThreadIdx || c->kind == CoordKind::GlobalId) flow.coords.thread |= bit;
      if (c->kind == CoordKind::BlockIdx || c->kind == CoordKind::GlobalId) flow.coords.block |= bit;
      return flow;
    }
    if (const auto* element = e->as<Subscript>()) {
      Flow base = flowOf(element->base);
      for (const std::string& array : base.points) {
        flow.loaded.insert(array);
        flow.add(contents[array]);
      }
      if (const VarPtr root = rootVariable(e); root && !root->type->isPointer())
        flow.add(contents[root->name]);
      return flow;
    }
    if (const auto* address = e->as<AddressOf>()) return flowOfAddress(address->place);
    if (const auto* call = e->as<Call>()) {
      for (const ExprPtr& arg : call->args) {
        Flow one = flowOf(arg);
        if (call->intrinsic && arg->type->isPointer() &&
            (call->intrinsic->cls == IntrinsicClass::Load ||
             call->intrinsic->cls == IntrinsicClass::Atomic)) {
          flow.loaded.insert(one.points.begin(), one.points.end());
          flow.fromAtomic |= call->intrinsic->cls == IntrinsicClass::Atomic;
          for (const std::string& array : one.points) flow.add(contents[array]);
        } else {
          flow.add(one);
        }
      }
      return flow;
    }
    forEachChild(*e, [&](const ExprPtr& child) { flow.add(flowOf(child)); });
    return flow;
  }

  Flow flowOfAddress(const ExprPtr& place) {
    if (const auto* element = place->as<Subscript>()) {
      Flow flow = flowOf(element->base);
      for (const ExprPtr& index : element->indices) flow.add(flowOf(index));
      return flow;
    }
    if (const auto* field = place->as<Member>()) return flowOfAddress(field->base);
    if (const auto* lanes = place->as<Swizzle>()) return flowOfAddress(lanes->base);
    return flowOf(place);
  }

  static bool isMemoryArray(const Variable& var) {
    return var.storage == Storage::Global || var.type->is(TypeKind::Array);
  }

  void store(const ExprPtr& place, const Flow& value) {
    if (const auto* var = place->as<VarRef>()) {
      changed |= variables[var->var.get()].add(value);
      return;
    }
    VarPtr root = rootVariable(place);
    if (const auto* element = findSubscript(place)) {
      Flow base = flowOf(element->base);
      for (const std::string& array : base.points) changed |= contents[array].add(value);
    }
    // A field or lane of a variable of the thread's own: the variable as a whole.
    if (root && !root->type->isPointer()) {
      if (root->type->is(TypeKind::Array) || root->storage == Storage::Global)
        changed |= contents[root->name].add(value);
      else
        changed |= variables[root.get()].add(value);
    }
  }

  static const Subscript* findSubscript(const ExprPtr& place) {
    if (const auto* element = place->as<Subscript>()) return element;
    if (const auto* field = place->as<Member>()) return findSubscript(field->base);
    if (const auto* lanes = place->as<Swizzle>()) return findSubscript(lanes->base);
    return nullptr;
  }

  void propagate(const Stmt& s) {
    if (const auto* d = s.as<Declare>(); d && d->init)
      changed |= variables[d->var.get()].add(flowOf(d->init));
    if (const auto* a = s.as<Assign>()) store(a->place, flowOf(a->value));
    if (const auto* f = s.as<For>()) {
      for (const StmtPtr& one : f->init) propagate(*one);
      for (const StmtPtr& one : f->step) propagate(*one);
    }
  }

  void collectDefinitions() {
    std::map<const Variable*, int> times;
    std::map<const Variable*, ExprPtr> values;
    auto look = [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>(); d && d->init)
        ++times[d->var.get()], values[d->var.get()] = d->init;
      if (const auto* a = s.as<Assign>())
        if (const auto* var = as<VarRef>(a->place))
          times[var->var.get()] += a->op ? 2 : 1, values[var->var.get()] = a->value;
    };
    walkStmts(facts.inlined->body, look);
    for (const auto& [var, count] : times)
      if (count == 1) facts.definitions[var] = values[var];
  }

  // --- what the flows tell

  void lookAt(const Expr& e) {
    if (const auto* c = e.as<Coord>()) {
      unsigned bit = 1u << c->axis;
      if (c->kind == CoordKind::ThreadIdx || c->kind == CoordKind::GlobalId) facts.used.thread |= bit;
      if (c->kind == CoordKind::BlockIdx || c->kind == CoordKind::GlobalId) facts.used.block |= bit;
    }
    if (const auto* var = e.as<VarRef>(); var && var->var->storage == Storage::Global) {
      facts.globals[var->var->name] = var->var;
      facts.arrays[var->var->name];
    }
    if (const auto* call = e.as<Call>()) atomicCall(*call);
    const auto* b = e.as<Binary>();
    if (!b) return;
    if (b->op == BinaryOp::Lt || b->op == BinaryOp::Le || b->op == BinaryOp::Gt || b->op == BinaryOp::Ge)
      compare(*b);
    if ((b->op == BinaryOp::Div || b->op == BinaryOp::Rem) && e.type->isInteger()) {
      Flow divisor = flowOf(b->rhs);
      for (const std::string& array : divisor.loaded)
        if (facts.arrays.contains(array)) facts.arrays[array].isDivisor = true;
      for (const std::string& param : divisor.params) raise(param, ScalarRole::Pitch);
    }
    if (b->op == BinaryOp::Add) blockTimesConstant(*b);
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

  // Values in a condition decide what is executed.
  void steer(const ExprPtr& cond) {
    for (const std::string& array : flowOf(cond).loaded)
      if (auto found = facts.arrays.find(array); found != facts.arrays.end()) found->second.steers = true;
  }

  void lookAt(const Stmt& s) {
    if (const auto* i = s.as<If>()) steer(i->cond);
    if (const auto* f = s.as<For>()) steer(f->cond);
    if (const auto* w = s.as<While>()) steer(w->cond);
    if (const auto* d = s.as<DoWhile>()) steer(d->cond);
    if (const auto* w = s.as<ir::Switch>()) steer(w->value);
    for (const Access& access : accesses(s)) lookAt(access);
    if (const auto* f = s.as<For>()) {
      for (const StmtPtr& one : f->init)
        for (const Access& access : accesses(*one)) lookAt(access);
      for (const StmtPtr& one : f->step)
        for (const Access& access : accesses(*one)) lookAt(access);
      loopOverEntries(*f);
    }
    if (const auto* w = s.as<While>()) boundsOf(w->cond);
  }

  // Parameters in the condition of a loop are sizes also where no comparison is in sight.
  void boundsOf(const ExprPtr& cond) {
    for (const std::string& param : flowOf(cond).params) raise(param, ScalarRole::Bound);
  }

  // for (j = row[i]; j < row[i + 1]; …): row rises.
  void loopOverEntries(const For& f) {
    boundsOf(f.cond);
    const auto* cond = as<Binary>(f.cond);
    if (!cond) return;
    std::set<std::string> begins;
    Flow sides = flowOf(cond->lhs);
    sides.add(flowOf(cond->rhs));
    std::set<const Variable*> counters;
    for (const StmtPtr& one : f.init) {
      const auto* d = one->as<Declare>();
      const auto* a = one->as<Assign>();
      ExprPtr value = d ? d->init : a ? a->value : nullptr;
      if (value) begins.merge(flowOf(value).loaded);
    }
    // A counter set before the loop.
    if (begins.empty()) begins = sides.loaded;
    for (const std::string& array : begins)
      if (sides.loaded.contains(array) && facts.arrays.contains(array) && boundsLoaded(cond, array))
        facts.arrays[array].use = IndexUse::Offsets;
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
      f.steers = true;
      bool toMemory = false;
      for (const std::string& target : targets) {
        if (target == from && targets.size() > 1) continue;
        f.indexes.insert(target);
        toMemory |= facts.arrays.contains(target);
        if (int64_t extent = fixedExtent(target); extent > 0)
          f.limit = f.limit < 0 ? extent : std::min(f.limit, extent);
      }
      if (f.use == IndexUse::Offsets) continue;
      IndexUse use = writes && toMemory && !atomic ? IndexUse::Permutation : IndexUse::Range;
      f.use = std::max(f.use, use);
    }
    if (const auto* var = as<VarRef>(element.base); var && var->var->space == Space::Shared)
      sharedExtents(element, *var->var);
  }

  int64_t fixedExtent(const std::string& name) const {
    auto var = known.find(name);
    if (var == known.end() || !var->second->type->is(TypeKind::Array)) return -1;
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
          found |= variables[var->var.get()].params.contains(param);
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
  std::map<const Variable*, Flow> variables;
  std::map<std::string, Flow> contents;  // of arrays, by name
  std::map<std::string, VarPtr> known;   // variables that are memory, by name
  std::array<int64_t, 3> sharedHint{};
  bool changed = false;
};

}  // namespace

KernelFacts kernelFacts(const KernelPtr& kernel) { return FactFinder(kernel).run(); }

}  // namespace hone::device
