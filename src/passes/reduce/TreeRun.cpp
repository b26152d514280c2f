// The statements of a tree, one after the other by all threads that come to them: all of them read before
// any of them writes, and who may not rely on that is found out.
#include "passes/reduce/TreeRun.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Integers.h"
#include "ir/StmtsOf.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr unsigned mostTreeSteps = 4096;  // statements that a tree may take
constexpr unsigned lanesOfWarp = 32;

bool isSameValue(const TreeValue& a, const TreeValue& b) {
  if (a.kind != b.kind) return false;
  if (a.is(TreeKind::Number)) return a.number == b.number;
  if (a.is(TreeKind::Real)) return a.real == b.real;
  return a.is(TreeKind::Values) && a.input == b.input && a.threads == b.threads && a.isJoined == b.isJoined &&
         a.how == b.how && a.call == b.call && a.isBounded == b.isBounded;
}

// The tile whose lanes wait for each other in this call; 0: none do.
unsigned tileToSync(const ExprPtr& e) {
  const auto* call = as<Call>(e);
  const bool isSync =
      call && call->intrinsic && call->intrinsic->id == "group_sync" && call->args.size() == 1;
  return isSync ? lanesOfTile(call->args[0]) : 0;
}

// The lanes of a thread's tile, as a mask.
uint32_t lanesOf(unsigned tile, unsigned thread) {
  const uint32_t lanes = tile == lanesOfWarp ? ~uint32_t{0} : (uint32_t{1} << tile) - 1;
  return lanes << (thread % lanesOfWarp / tile * tile);
}

// What an exchange reduces by; nothing: it moves values.
std::optional<Combine> reducedBy(const Call& call) {
  const std::string_view id = call.intrinsic->id;
  std::string by(id);
  if (id == "group_reduce" && call.args.size() == 3) {
    const Type& functor = *call.args[2]->type;
    by = functor.record ? functor.record->name : functor.spelling;
  } else if (!id.starts_with("reduce_")) {
    return std::nullopt;
  }
  auto has = [&](const char* reduceSync, const char* ofGroup) {
    return by == reduceSync || by.find(ofGroup) != std::string::npos;
  };
  if (has("reduce_add_sync", "::plus")) return Combine::Add;
  if (has("reduce_min_sync", "::less")) return Combine::Min;
  if (has("reduce_max_sync", "::greater")) return Combine::Max;
  if (has("reduce_and_sync", "::bit_and")) return Combine::And;
  if (has("reduce_or_sync", "::bit_or")) return Combine::Or;
  if (has("reduce_xor_sync", "::bit_xor")) return Combine::Xor;
  return std::nullopt;
}

}  // namespace

unsigned lanesOfTile(const ExprPtr& handle) {
  ExprPtr group = handle;
  while (const auto* address = as<AddressOf>(group)) group = address->place;
  static constexpr std::string_view tile = "thread_block_tile<";
  const std::string& name = group->type->spelling;
  const size_t at = name.find(tile);
  if (at == std::string::npos) return 0;
  const unsigned long size = std::strtoul(name.c_str() + at + tile.size(), nullptr, 10);
  return size >= 1 && size <= lanesOfWarp && lanesOfWarp % size == 0 ? static_cast<unsigned>(size) : 0;
}

TreeKernel::TreeKernel(const Kernel& itsKernel, const std::array<unsigned, 3>& itsBlock)
    : kernel(itsKernel), block(itsBlock), threads(itsBlock[0] * itsBlock[1] * itsBlock[2]) {
  changed = assignedVariables(kernel.body);
  taken = addressTaken(kernel.body);
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (d && d->init && !changed.contains(d->var.get()) && !taken.contains(d->var.get()))
      declaredWith[d->var.get()] = d->init;
  });
}

bool TreeRun::run(const StmtPtr& s) {
  const Obstacle no = refusing([&] {
    Threads all(of.threads);
    for (unsigned t = 0; t < of.threads; ++t) all[t] = t;
    statement(s, all);
  });
  if (no) why = *no;
  return !no;
}

std::optional<TreeExtreme> extremeBetween(const Binary& test, const TreeValue& left, const TreeValue& right,
                                          const TreeValue& whenTrue, const TreeValue& otherwise) {
  if (!isComparison(test.op) || test.op == BinaryOp::Eq || test.op == BinaryOp::Ne) return std::nullopt;
  const bool takesLeft = isSameValue(whenTrue, left) && isSameValue(otherwise, right),
             takesRight = isSameValue(whenTrue, right) && isSameValue(otherwise, left);
  if (!takesLeft && !takesRight) return std::nullopt;
  const bool asksGreater = test.op == BinaryOp::Gt || test.op == BinaryOp::Ge;
  return TreeExtreme{takesLeft == asksGreater ? Combine::Max : Combine::Min};
}

void TreeRun::statement(const StmtPtr& s, const Threads& active) {
  if (active.empty()) return;
  if (++steps > mostTreeSteps) refuse("its steps are too many to follow", s->loc);
  now += 2;
  if (const auto* list = as<Block>(s)) {
    for (const StmtPtr& one : list->stmts) statement(one, active);
  } else if (const auto* d = as<Declare>(s)) {
    declare(*d, active, s->loc);
  } else if (const auto* a = as<Assign>(s)) {
    assign(*a, active, s->loc);
  } else if (const auto* choice = as<If>(s)) {
    choose(*choice, active, s->loc);
  } else if (const auto* counting = as<For>(s)) {
    for (const StmtPtr& first : counting->init) statement(first, active);
    loop(counting->cond, counting->body, counting->step, true, active, s->loc);
  } else if (const auto* whileLoop = as<While>(s)) {
    loop(whileLoop->cond, whileLoop->body, {}, true, active, s->loc);
  } else if (const auto* untilLoop = as<DoWhile>(s)) {
    loop(untilLoop->cond, untilLoop->body, {}, false, active, s->loc);
  } else if (const auto* meeting = as<Barrier>(s)) {
    barrier(*meeting, active, s->loc);
    if (meeting->scope == SyncScope::Block && !firstBarrier) firstBarrier = s;
  } else if (const auto* alone = as<Eval>(s); alone && tileToSync(alone->call)) {
    meetInTile(tileToSync(alone->call), active, s->loc);
  } else if (!s->is<Comment>()) {
    refuse("its threads do more than put values together", s->loc);
  }
}

void TreeRun::declare(const Declare& d, const Threads& active, SourceLoc loc) {
  if (d.var->space == Space::Shared) return;
  if (d.var->type->is(TypeKind::Array) || d.var->isVolatile)
    refuse(fmt::format("{} is no plain number", d.var->name), loc);
  std::vector<TreeValue> values(active.size());
  // A handle is asked about where it is used.
  const bool isHandle = d.var->type->is(TypeKind::Handle) && d.init && isPure(d.init);
  if (d.init && !isHandle) values = valuesOf(d.init, active, loc);
  std::vector<TreeValue>& into = own[d.var.get()];
  into.resize(of.threads);
  for (size_t i = 0; i < active.size(); ++i) into[active[i]] = values[i];
}

void TreeRun::assign(const Assign& a, const Threads& active, SourceLoc loc) {
  std::vector<TreeValue> values = valuesOf(a.value, active, loc);
  if (a.op) {
    const auto how = combineBy(*a.op);
    const bool isSame = sameType(a.place->type, a.value->type);
    for (size_t i = 0; i < active.size(); ++i) {
      const TreeValue before = find(a.place, active[i]).value;
      std::optional<TreeValue> after;
      if (before.is(TreeKind::Number) && values[i].is(TreeKind::Number)) {
        const Type& type = *a.value->type;
        const int64_t left = wrapped(static_cast<uint64_t>(before.number), type);
        if (const auto result = integerResult(*a.op, left, values[i].number, type, type))
          after = TreeValue::ofNumber(wrapped(static_cast<uint64_t>(*result), *a.place->type));
      } else if (how && isSame) {
        after = joined(before, values[i], *how, *a.place->type);
      }
      if (!after) refuse("its values are not put together by one operation", loc);
      values[i] = *after;
    }
  }
  for (size_t i = 0; i < active.size(); ++i) store(a.place, values[i], active[i], loc);
}

void TreeRun::store(const ExprPtr& place, const TreeValue& value, unsigned thread, SourceLoc loc) {
  const auto* var = as<VarRef>(place);
  if (var && var->var->space == Space::Private && var->var->storage != Storage::Global) {
    if (var->var->isVolatile || of.taken.contains(var->var.get()))
      refuse(fmt::format("{} is no plain number", var->var->name), loc);
    auto [at, isNew] = own.try_emplace(var->var.get());
    if (isNew) {
      // The other threads keep what they had.
      std::vector<TreeValue> before(of.threads);
      for (unsigned t = 0; t < of.threads; ++t)
        if (t != thread) {
          own.erase(var->var.get());
          before[t] = findVariable(place, var->var, t).value;
        }
      own[var->var.get()] = std::move(before);
    }
    own[var->var.get()][thread] = value;
    return;
  }
  const auto at = element(place, thread);
  if (!at) refuse("its threads store to other memory than the block shares", loc);
  TreeCell& cell = cells[at->array][at->number];
  const bool inStep = isVolatile(*place);
  auto mustWait = [&](unsigned other, unsigned when) {
    return other != thread && !isOver(other, when, thread, inStep);
  };
  // All that store the same in one step leave it there, whoever is the last.
  const bool isAgain = cell.writer >= 0 && cell.writtenAt == now + 1 && isSameValue(cell.value, value);
  bool races = cell.writer >= 0 && !isAgain && mustWait(static_cast<unsigned>(cell.writer), cell.writtenAt);
  for (const auto& [reader, when] : cell.readers) races = races || mustWait(reader, when);
  if (races)
    refuse(fmt::format("threads may store to {} while others of them are still at it", at->array->name), loc);
  cell.value = value;
  cell.writer = static_cast<int>(thread);
  cell.writtenAt = now + 1;
  cell.readers.clear();
}

bool TreeRun::isOver(unsigned thread, unsigned when, unsigned other, bool inStep) const {
  if (blockSync > when) return true;
  if (thread / lanesOfWarp != other / lanesOfWarp) return false;
  return inStep || warpSync[thread / lanesOfWarp] > when;
}

TreeValue TreeRun::load(const TreeValue& at, const ExprPtr& place, unsigned thread) {
  if (at.number < 0)
    refuse(fmt::format("it is not known which element of {} a thread uses", at.array->name), place->loc);
  TreeCell& cell = cells[at.array][at.number];
  if (cell.writer >= 0 && static_cast<unsigned>(cell.writer) != thread &&
      !isOver(static_cast<unsigned>(cell.writer), cell.writtenAt, thread, isVolatile(*place)))
    refuse(fmt::format("threads may read {} before others of them have stored to it", at.array->name),
           place->loc);
  cell.readers.emplace_back(thread, now);
  return cell.value;
}

void TreeRun::choose(const If& s, const Threads& active, SourceLoc loc) {
  if (chooseExtreme(s, active)) return;
  const std::vector<bool> holds = conditions(s.cond, active, loc);
  Threads yes, no;
  for (size_t i = 0; i < active.size(); ++i) (holds[i] ? yes : no).push_back(active[i]);
  statement(s.then, yes);
  if (s.otherwise) statement(s.otherwise, no);
}

bool TreeRun::chooseExtreme(const If& s, const Threads& active) {
  const auto* test = as<Binary>(s.cond);
  const StmtList list = stmtsOf(s.then);
  const auto* set = list.size() == 1 ? as<Assign>(list.front()) : nullptr;
  if (!test || !set || set->op || s.otherwise || !isComparison(test->op)) return false;
  std::vector<TreeValue> after;
  for (const unsigned t : active) {
    const Found left = find(test->lhs, t), right = find(test->rhs, t);
    const bool isTree = left.value.is(TreeKind::Values) || right.value.is(TreeKind::Values) ||
                        left.value.is(TreeKind::Garbage) || right.value.is(TreeKind::Garbage);
    if (!isTree || (left.isPlain && right.isPlain)) return false;
    const TreeValue held = find(set->place, t).value, given = find(set->value, t).value;
    if (left.value.is(TreeKind::Garbage) || right.value.is(TreeKind::Garbage)) {
      after.emplace_back();
      continue;
    }
    const auto extreme = extremeBetween(*test, left.value, right.value, given, held);
    const auto both = extreme ? joined(held, given, extreme->how, *set->place->type) : std::nullopt;
    if (!both) return false;
    after.push_back(*both);
  }
  for (size_t i = 0; i < active.size(); ++i) store(set->place, after[i], active[i], list.front()->loc);
  return true;
}

void TreeRun::loop(const ExprPtr& cond, const StmtPtr& body, const StmtList& step, bool testsFirst,
                   Threads active, SourceLoc loc) {
  if (!cond) refuse("its threads do more than put values together", loc);
  for (bool isFirst = true;; isFirst = false) {
    if (testsFirst || !isFirst) {
      const std::vector<bool> holds = conditions(cond, active, loc);
      Threads left;
      for (size_t i = 0; i < active.size(); ++i)
        if (holds[i]) left.push_back(active[i]);
      active = std::move(left);
    }
    if (active.empty()) return;
    statement(body, active);
    for (const StmtPtr& next : step) statement(next, active);
  }
}

void TreeRun::barrier(const Barrier& b, const Threads& active, SourceLoc loc) {
  if (b.scope == SyncScope::Warp) {
    meet(active, b.mask, loc);
    return;
  }
  if (b.scope != SyncScope::Block) refuse("its threads do more than put values together", loc);
  if (active.size() != of.threads) refuse("not all threads of the block come to a barrier", loc);
  blockSync = now;
  ++blockBarriers;
}

void TreeRun::meet(const Threads& active, const ExprPtr& mask, SourceLoc loc) {
  std::vector<bool> isHere(of.threads);
  for (const unsigned t : active) isHere[t] = true;
  for (const unsigned t : active) {
    uint32_t lanes = 0xffffffff;
    if (mask) {
      const TreeValue value = find(mask, t).value;
      if (!value.is(TreeKind::Number)) refuse("it is not known which lanes of a warp meet", loc);
      lanes = static_cast<uint32_t>(value.number);
    }
    const unsigned warp = t / lanesOfWarp;
    if (!(lanes >> (t % lanesOfWarp) & 1)) refuse("it is not known which lanes of a warp meet", loc);
    for (unsigned l = 0; l < lanesOfWarp; ++l) {
      const unsigned other = warp * lanesOfWarp + l;
      if ((lanes >> l & 1) && (other >= of.threads || !isHere[other]))
        refuse("not all lanes come to where they meet", loc);
    }
    // Of a part of the warp nothing is kept.
    if (lanes == 0xffffffff) warpSync[warp] = now;
  }
}

void TreeRun::meetInTile(unsigned size, const Threads& active, SourceLoc loc) {
  std::vector<bool> isHere(of.threads);
  for (const unsigned t : active) isHere[t] = true;
  for (const unsigned t : active) {
    for (unsigned other = t / size * size; other < (t / size + 1) * size; ++other)
      if (other >= of.threads || !isHere[other]) refuse("not all lanes come to where they meet", loc);
    if (size == lanesOfWarp) warpSync[t / lanesOfWarp] = now;
  }
}

std::optional<std::vector<TreeValue>> TreeRun::exchanged(const ExprPtr& e, const Threads& active,
                                                         SourceLoc loc) {
  const auto* call = as<Call>(e);
  if (!call || !call->intrinsic || call->intrinsic->cls != IntrinsicClass::Exchange) return std::nullopt;
  const IntrinsicTraits& traits = call->intrinsic->traits;
  std::string_view id = call->intrinsic->id;
  const bool hasMask = traits.over == Participants::Mask;
  const std::optional<Combine> reduces = reducedBy(*call);
  const unsigned tile =
      traits.over == Participants::GroupHandle && !call->args.empty() ? lanesOfTile(call->args[0]) : 0;
  const bool isShuffle = traits.isShuffle && (hasMask || tile || traits.over == Participants::Active);
  if (!isShuffle && !reduces) refuse("its threads do more than put values together", loc);
  const size_t first = hasMask || tile ? 1 : 0;
  if (hasMask) meet(active, call->args[0], loc);
  if (tile) meetInTile(tile, active, loc);
  if (id.starts_with("group_")) id.remove_prefix(6);
  if (!sameType(e->type, call->args[first]->type))
    refuse("its threads do more than put values together", loc);
  std::vector<std::optional<TreeValue>> given(of.threads);
  for (const unsigned t : active) given[t] = find(call->args[first], t).value;
  std::vector<TreeValue> out;
  for (const unsigned t : active) {
    const unsigned warp = t / lanesOfWarp * lanesOfWarp;
    if (reduces) {
      const uint32_t lanes = tile ? lanesOf(tile, t) : uint32_t(find(call->args[0], t).value.number);
      std::optional<TreeValue> all;
      for (unsigned l = 0; l < lanesOfWarp; ++l) {
        if (!(lanes >> l & 1)) continue;
        const auto more = all ? joined(*all, *given[warp + l], *reduces, *e->type) : given[warp + l];
        if (!more) refuse("its values are not put together by one operation", loc);
        all = more;
      }
      out.push_back(*all);
      continue;
    }
    auto numberOf = [&](size_t arg) {
      const TreeValue value = find(call->args[arg], t).value;
      if (!value.is(TreeKind::Number)) refuse("it is not known which lanes of a warp meet", loc);
      return value.number;
    };
    const int64_t by = numberOf(first + 1), width = tile                            ? tile
                                                    : call->args.size() > first + 2 ? numberOf(first + 2)
                                                                                    : lanesOfWarp;
    if (width < 1 || width > lanesOfWarp || (width & (width - 1)))
      refuse("it is not known which lanes of a warp meet", loc);
    const int64_t lane = t % lanesOfWarp, part = lane / width * width;
    int64_t from = lane;
    if (id.starts_with("shfl_down"))
      from = by < width && lane + by < part + width ? lane + by : lane;
    else if (id.starts_with("shfl_up"))
      from = by <= lane - part ? lane - by : lane;
    else if (id.starts_with("shfl_xor"))
      from = (lane ^ (by & 31)) < part + width ? lane ^ (by & 31) : lane;
    else
      from = part + (by & (width - 1));
    const unsigned source = warp + static_cast<unsigned>(from);
    out.push_back(source < of.threads && given[source] ? *given[source] : TreeValue{});
  }
  return out;
}

std::vector<TreeValue> TreeRun::valuesOf(const ExprPtr& e, const Threads& active, SourceLoc loc) {
  if (auto values = exchanged(e, active, loc)) return *std::move(values);
  std::vector<TreeValue> out;
  out.reserve(active.size());
  for (const unsigned t : active) out.push_back(find(e, t).value);
  return out;
}

std::vector<bool> TreeRun::conditions(const ExprPtr& e, const Threads& active, SourceLoc loc) {
  std::vector<bool> out;
  for (const unsigned t : active) {
    const TreeValue value = find(e, t).value;
    if (!value.is(TreeKind::Number)) refuse("it is not known which threads take part in a step", loc);
    out.push_back(value.number != 0);
  }
  return out;
}

const TreeValue* TreeRun::find(const Variable* var, unsigned thread) const {
  const auto at = own.find(var);
  return at == own.end() ? nullptr : &at->second[thread];
}

const std::map<int64_t, TreeCell>& TreeRun::cellsOf(const Variable* array) const {
  static const std::map<int64_t, TreeCell> none;
  const auto in = cells.find(array);
  return in == cells.end() ? none : in->second;
}

}  // namespace hone::passes
