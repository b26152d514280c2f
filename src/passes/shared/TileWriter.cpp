#include "passes/shared/TileWriter.h"

#include <fmt/core.h>

#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;
using affine::AtomId;
using affine::CondKind;
using affine::CondPtr;
using affine::Poly;
using affine::ToExpr;

namespace {

constexpr int64_t mostIterationsOfLoads = 128;  // of loops that load a tile row by row

// blockIdx * size + threadIdx in any order.
bool isGlobalId(const ExprPtr& value, unsigned axis, unsigned size) {
  const ExprPtr sum = withoutIdCasts(value);
  const auto* add = as<Binary>(sum);
  if (!add || add->op != BinaryOp::Add) return false;
  for (const auto& [one, other] : {std::pair(add->lhs, add->rhs), std::pair(add->rhs, add->lhs)}) {
    if (!isCoordinate(other, CoordKind::ThreadIdx, axis)) continue;
    const ExprPtr product = withoutIdCasts(one);
    const auto* mul = as<Binary>(product);
    if (!mul || mul->op != BinaryOp::Mul) continue;
    for (const auto& [a, b] : {std::pair(mul->lhs, mul->rhs), std::pair(mul->rhs, mul->lhs)})
      if (isCoordinate(a, CoordKind::BlockIdx, axis) && constantValue(b) == std::optional<int64_t>(size))
        return true;
  }
  return false;
}

const char* dimensionName(size_t d, size_t n) {
  switch (n - d) {
    case 1: return "col";
    case 2: return "row";
    case 3: return "plane";
    default: return "outer";
  }
}

StmtPtr constant(const VarPtr& var, ExprPtr value) {
  return makeStmt(Declare{var, convert(std::move(value), var->type)});
}

// a + (b + c) without the parentheses.
ExprPtr addTerms(ExprPtr sum, const ExprPtr& e) {
  const auto* b = as<Binary>(e);
  if (b && b->op == BinaryOp::Add) return addTerms(addTerms(std::move(sum), b->lhs), b->rhs);
  if (b && b->op == BinaryOp::Sub) return minus(addTerms(std::move(sum), b->lhs), b->rhs);
  return plus(std::move(sum), e);
}

// Whether the rows of a tile are those that the array is declared with. An array may be looked at with
// others, or as one long row.
bool hasDeclaredRows(TypePtr element, const std::vector<Poly>& extents) {
  for (const Poly& extent : extents) {
    if (!element->is(TypeKind::Array) || extent.constant() != std::optional<int64_t>(element->extent))
      return false;
    element = element->element;
  }
  return !element->is(TypeKind::Array);
}

// What a flat subscript counts from: the array itself, of an array of arrays a pointer to its numbers. A
// subscript of a row would be taken to stay in that row.
ExprPtr firstElement(const affine::Array& array) {
  TypePtr element = array.var->type->element;
  if (!element->is(TypeKind::Array)) return ref(array.var);
  while (element->is(TypeKind::Array)) element = element->element;
  ExprPtr rows = ref(array.var);
  if (array.var->type->is(TypeKind::Array)) rows = addressOf(subscript(rows, {intLit(0)}), array.space);
  return convert(rows, pointerType(element, array.space, rows->type->isConst, rows->type->isVolatile), true);
}

}  // namespace

TileWriter::TileWriter(Kernel& k, const affine::KernelModel& m, Names& n, size_t scope)
    : kernel(k), model(m), atoms(*m.atoms), names(n) {
  findVariables(scope);
}

// Variables of the user that hold coordinates all the time.
void TileWriter::findVariables(size_t scope) {
  const auto& list = as<Block>(kernel.body)->stmts;
  const std::set<const Variable*> changed = assignedVariables(kernel.body),
                                  pointed = addressTaken(kernel.body);
  for (size_t i = 0; i < std::min(scope, list.size()); ++i) {
    const auto* d = as<Declare>(list[i]);
    if (!d || !d->init || !d->var->type->is(TypeKind::Int) || d->var->type->bits < 32) continue;
    if (d->var->isReference || changed.contains(d->var.get()) || pointed.contains(d->var.get())) continue;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (!threads[axis] && isCoordinate(d->init, CoordKind::ThreadIdx, axis)) threads[axis] = d->var;
      if (!globalIds[axis] && model.block[axis] > 1 && isGlobalId(d->init, axis, model.block[axis])) {
        globalIds[axis] = d->var;
        globalIdSymbols[axis] =
            atoms.helper(std::string("global id ") + "xyz"[axis], nullptr, INT64_MIN, INT64_MAX);
      }
    }
  }
}

VarPtr TileWriter::threadVar(unsigned axis) {
  if (threads[axis]) return threads[axis];
  threads[axis] = makeLocal(names, std::string("t") + "xyz"[axis], int32(), true);
  atTop.push_back(constant(threads[axis], coord(CoordKind::ThreadIdx, axis)));
  return threads[axis];
}

ExprPtr TileWriter::linearThread() {
  const auto& b = model.block;
  if (b[1] == 1 && b[2] == 1) return convert(ref(threadVar(0)), int32());
  if (tid) return ref(tid);
  ExprPtr sum;
  for (unsigned axis = 3; axis-- > 0;) {
    if (b[axis] == 1) continue;
    ExprPtr one = convert(ref(threadVar(axis)), int32());
    sum = sum ? plus(times(sum, blockSize(axis)), one) : one;
  }
  tid = makeLocal(names, "tid", int32(), true);
  atTop.push_back(constant(tid, sum ? sum : intLit(0)));
  return ref(tid);
}

// The counter of the tile's loop, and where the tile starts, by the values of variables.
Poly TileWriter::inValues(const Poly& p, const Tile& tile) {
  if (tile.what.loop.isNone()) return p;
  const affine::Loop& loop = model.loops[tile.what.loop];
  const int64_t step = loop.step.constant().value_or(1);
  const int64_t size = step < 0 ? -step : step;
  const Poly now = atoms.helper("value of " + loop.handle, loop.var.get(), INT64_MIN, INT64_MAX);
  const Poly start = atoms.helper("start value of " + loop.handle, nullptr, INT64_MIN, INT64_MAX);
  const AtomId startAtom = tile.start.atoms().front();
  Poly sum = p;
  auto exchange = [&](AtomId atom, const Poly& distance) {
    const Poly factor = sum.coefficient(atom);
    if (factor.mentions(atom) || !factor.isDivisible(size)) return;
    const Poly perStep = factor.dividedExactly(size);
    sum = sum.without(atom) + (step < 0 ? -perStep : perStep) * distance;
  };
  const Poly ofCounter = sum.coefficient(loop.counter), ofStart = sum.coefficient(startAtom);
  if (!ofCounter.isZero() && (ofCounter + ofStart).isZero() && !ofCounter.isDivisible(size) &&
      !ofCounter.mentions(loop.counter)) {
    sum = sum.without(loop.counter).without(startAtom) + ofCounter * iterationsSymbol(tile);
  }
  exchange(loop.counter, now - loop.first);
  exchange(startAtom, start - loop.first);
  auto iterations = [&](const Poly& value) {
    const Poly distance = step < 0 ? loop.first - value : value - loop.first;
    return size == 1 ? distance : atoms.div(distance, size);
  };
  return atoms.substitute(sum, {{loop.counter, iterations(now)}, {startAtom, iterations(start)}});
}

// Iterations since the tile's start, where steps are longer than one.
Poly TileWriter::iterationsSymbol(const Tile& tile) {
  return atoms.helper(fmt::format("iterations since the start of {}, {} of them",
                                  model.loops[tile.what.loop].handle, tile.what.depth),
                      nullptr, 0, tile.what.depth - 1);
}

CondPtr TileWriter::inValues(const CondPtr& c, const Tile& tile) {
  switch (c->kind) {
    case CondKind::AtLeast0: return affine::atLeast0(withGlobalIds(inValues(c->value, tile)));
    case CondKind::Zero: return affine::isZero(withGlobalIds(inValues(c->value, tile)));
    case CondKind::And:
    case CondKind::Or: {
      std::vector<CondPtr> parts;
      for (const CondPtr& part : c->parts) parts.push_back(inValues(part, tile));
      return c->kind == CondKind::And ? affine::allOf(std::move(parts)) : affine::anyOf(std::move(parts));
    }
    default: return c;
  }
}

Poly TileWriter::withGlobalIds(const Poly& p) {
  Poly sum = p;
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (!globalIds[axis]) continue;
    const AtomId thread = atoms.thread(axis).atoms().front(), block = atoms.block(axis).atoms().front();
    const Poly factor = sum.coefficient(thread);
    if (factor.isZero() || factor.mentions(thread)) continue;
    if (sum.coefficient(block) != factor * Poly(int64_t(model.block[axis]))) continue;
    sum = sum.without(thread).without(block) + factor * globalIdSymbols[axis];
  }
  return sum;
}

ToExpr TileWriter::writer(const StagedTile& staged, bool narrow) {
  TypePtr type = int32();
  for (affine::AccessId a : staged.tile.what.accesses)
    if (affine::indexType(model.accesses[a])->bits > 32 && !narrow) type = int64();
  ToExpr to(model, type);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (globalIds[axis]) to.stands(globalIdSymbols[axis].atoms().front(), ref(globalIds[axis]));
    const Poly thread = atoms.thread(axis);
    if (!thread.constant())
      to.stands(thread.atoms().front(), model.block[axis] > 1 ? ref(threadVar(axis)) : intLit(0));
  }
  if (staged.tile.what.loop.isSome()) {
    const affine::Loop& loop = model.loops[staged.tile.what.loop];
    const Poly now = atoms.helper("value of " + loop.handle, loop.var.get(), INT64_MIN, INT64_MAX);
    const Poly start = atoms.helper("start value of " + loop.handle, nullptr, INT64_MIN, INT64_MAX);
    to.stands(now.atoms().front(), ref(loop.var));
    to.stands(start.atoms().front(), staged.loopStart);
    const int64_t step = loop.step.constant().value_or(1);
    const ExprPtr distance =
        step < 0 ? minus(staged.loopStart, ref(loop.var)) : minus(ref(loop.var), staged.loopStart);
    to.stands(iterationsSymbol(staged.tile).atoms().front(),
              over(distance, intLit(step < 0 ? -step : step, distance->type)));
  }
  return to;
}

Result<ExprPtr> TileWriter::expr(ToExpr& to, const Poly& p, const Tile& tile) {
  auto made = to.of(withGlobalIds(inValues(p, tile)));
  if (made) return withBlockNames(*made);
  return Refusal{fmt::format("a subscript of {} cannot be written again", model.arrays[tile.array].name)};
}

Obstacle TileWriter::declare(StagedTile& staged) {
  const Tile& tile = staged.tile;
  const affine::Array& array = model.arrays[tile.array];
  if (!array.var || array.var->name != array.name)
    return Refusal{fmt::format("{} is no array with a name of its own", array.name)};
  // As many subscripts as the declared type has, or one flat one.
  TypePtr type = array.var->type;
  size_t levels = 0;
  for (; type->isPointer() || type->is(TypeKind::Array); type = type->element)
    if (++levels > 1 && type->isPointer()) break;
  if (!sameType(type, array.element) || (levels != 1 && levels != tile.dimensions.size()))
    return Refusal{fmt::format("elements of {} cannot be named by its own type", array.name)};
  const size_t n = tile.dimensions.size();
  std::vector<size_t> order;
  for (size_t d = 0; d < n; ++d) order.push_back(d);
  if (staged.columns && n > 1) std::swap(order[n - 1], order[n - 2]);
  TypePtr made = array.element;
  for (size_t i = n; i-- > 0;) {
    const TileDimension& dim = tile.dimensions[order[i]];
    const int64_t pad = i + 1 == n ? staged.pad : 0;
    const auto [role, more] = countRole(staged, order[i]);
    const int64_t own = role ? dim.count - more : dim.count + pad, beyond = dim.count + pad - own;
    const ExprPtr size = named(own, role);
    made = arrayOver(made, beyond ? binary(BinaryOp::Add, size, intLit(beyond)) : size);
  }
  auto var = std::make_shared<Variable>();
  var->name = names.fresh(array.name + "_tile");
  var->type = made;
  var->space = Space::Shared;
  staged.var = var;
  staged.isFilled = !tile.what.isStore && (tile.exists->kind == CondKind::True || zeroOf(array.element));
  atTop.push_back(makeStmt(Declare{var, nullptr}));
  return std::nullopt;
}

ExprPtr TileWriter::slot(const StagedTile& staged, std::vector<ExprPtr> subscripts) {
  const size_t n = subscripts.size();
  if (staged.columns && n > 1) std::swap(subscripts[n - 1], subscripts[n - 2]);
  if (staged.swizzle && n > 1)
    subscripts[n - 1] =
        binary(BinaryOp::BitXor, subscripts[n - 1],
               binary(BinaryOp::BitAnd, subscripts[n - 2], intLit(staged.swizzle, subscripts[n - 2]->type)));
  return subscript(ref(staged.var), std::move(subscripts));
}

// Made of nothing but coordinates of threads and distances: 32 bits do.
bool TileWriter::isSmall(const Poly& p, const Tile& tile) {
  bool isPlain = p.degree() < 2;
  for (AtomId id : inValues(p, tile).atoms()) {
    const affine::Atom& atom = atoms[id];
    isPlain = isPlain && (atom.kind == affine::AtomKind::Thread || atom.kind == affine::AtomKind::Loop ||
                          atom.is(affine::SymbolKind::Helper));
  }
  return isPlain && (tile.what.loop.isNone() || model.loops[tile.what.loop].var->type->bits <= 32);
}

Result<ExprPtr> TileWriter::read(const StagedTile& staged, size_t access) {
  std::vector<ExprPtr> subscripts;
  for (const Poly& p : staged.tile.places[access]) {
    ToExpr to = writer(staged, isSmall(p, staged.tile));
    [[maybe_unused]] const bool isFirst = subscripts.empty();
    auto made = expr(to, HONE_SEED(StageHaloOffByOne, p, isFirst ? p - Poly(1) : p), staged.tile);
    if (!made) return made;
    subscripts.push_back(*made);
  }
  return slot(staged, std::move(subscripts));
}

// tile[slots] = array[elements], where that element exists.
Result<StmtPtr> TileWriter::copyElement(const StagedTile& staged, ToExpr& to,
                                        const std::vector<ExprPtr>& slots,
                                        const std::vector<Poly>& elements) {
  const Tile& tile = staged.tile;
  const affine::Array& array = model.arrays[tile.array];
  std::vector<ExprPtr> subscripts;
  affine::Atoms::Substitution values;
  for (size_t d = 0; d < elements.size(); ++d) {
    auto made = expr(to, elements[d], tile);
    if (!made) return made.refusal();
    subscripts.push_back(*made);
    values[tile.elements[d].atoms().front()] = elements[d];
  }
  auto cond = to.of(inValues(atoms.substitute(withoutTestsOfLaunch(tile.exists, to), values), tile));
  if (!cond) return Refusal{fmt::format("which elements of {} are read cannot be written again", array.name)};
  ExprPtr base = ref(array.var);
  if (!hasDeclaredRows(array.var->type->element, tile.extents)) {
    ExprPtr flat = subscripts.front();
    for (size_t d = 1; d < subscripts.size(); ++d) {
      auto extent = to.of(tile.extents[d - 1]);
      if (!extent) return Refusal{fmt::format("the size of a row of {} cannot be written again", array.name)};
      flat = addTerms(times(flat, *extent), subscripts[d]);
    }
    subscripts = {flat};
    base = firstElement(array);
  }
  ExprPtr element = subscript(base, std::move(subscripts));
  ExprPtr place = slot(staged, slots);
  const ExprPtr exists = HONE_SEED(StageMissingGuard, withBlockNames(simplified(*cond)), boolLit(true));
  if (tile.what.isStore) {
    const StmtPtr write = assign(element, place);
    return isTrue(exists) ? write : makeStmt(If{exists, block({write}), nullptr});
  }
  if (isTrue(exists)) return assign(place, element);
  if (ExprPtr zero = zeroOf(array.element))
    return assign(place, makeExpr(array.element, Select{exists, element, zero}));
  return makeStmt(If{exists, block({assign(place, element)}), nullptr});
}

bool TileWriter::isLoadedDirectly(const StagedTile& staged) const {
  const auto& dims = staged.tile.dimensions;
  const size_t n = dims.size();
  bool isDirect = true;
  int64_t iterations = 1;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const int64_t count = axis < n ? dims[n - 1 - axis].count : 1, size = model.block[axis];
    isDirect = isDirect && count % size == 0;
    iterations *= count / size;
  }
  return isDirect && iterations <= mostIterationsOfLoads;
}

Result<StmtList> TileWriter::load(const StagedTile& staged) {
  return staged.sideBySide == 1 && isLoadedDirectly(staged) ? loadDirectly(staged) : loadInTurn(staged);
}

Poly TileWriter::offsetSymbol(const StagedTile& staged, size_t d) {
  return atoms.helper(fmt::format("offset {} in {}", d, staged.var->name), nullptr, 0, INT32_MAX);
}

// Threads along x take columns, along y rows, along z planes; loops where the tile is larger than the block.
Result<StmtList> TileWriter::loadDirectly(const StagedTile& staged) {
  const auto& dims = staged.tile.dimensions;
  const size_t n = dims.size();
  ToExpr to = writer(staged);
  std::vector<Poly> slots(n), elements(n);
  std::vector<VarPtr> counters(n);
  for (size_t d = 0; d < n; ++d) {
    const size_t axis = n - 1 - d;
    const int64_t size = axis < 3 ? model.block[axis] : 1;
    Poly slot = axis < 3 && size > 1 ? atoms.thread(unsigned(axis)) : Poly(0);
    if (dims[d].count > size) {
      counters[d] = makeLocal(names, dimensionName(d, n), int32());
      const Poly offset = offsetSymbol(staged, d);
      to.stands(offset.atoms().front(), ref(counters[d]));
      slot = slot + offset;
    }
    slots[d] = slot;
    elements[d] = dims[d].first + slot * Poly(dims[d].stride);
  }
  std::vector<ExprPtr> subscripts;
  ToExpr small = writer(staged, true);
  for (size_t d = 0; d < n; ++d) {
    if (counters[d]) small.stands(offsetSymbol(staged, d).atoms().front(), ref(counters[d]));
    auto made = small.of(slots[d]);
    if (!made) return unexpected("subscript of a tile");
    subscripts.push_back(*made);
  }
  auto copy = copyElement(staged, to, subscripts, elements);
  if (!copy) return copy.refusal();
  StmtPtr made = *copy;
  for (size_t d = n; d-- > 0;) {
    if (!counters[d]) continue;
    const size_t axis = n - 1 - d;
    const int64_t size = axis < 3 ? model.block[axis] : 1;
    const ExprPtr step = axis < 3 && size > 1 ? blockSize(unsigned(axis)) : intLit(size);
    made = countingLoop({.var = counters[d],
                         .end = countOf(staged, d),
                         .step = step,
                         .body = block({made}),
                         .unroll = dims[d].count / size <= 16 ? -1 : 0});
  }
  return StmtList{made};
}

// Elements in the order of the array, one after the other to the threads in their order.
Result<StmtList> TileWriter::loadInTurn(const StagedTile& staged) {
  const auto& dims = staged.tile.dimensions;
  const size_t n = dims.size();
  const int64_t side = staged.sideBySide, total = staged.tile.size() / side, size = model.threads();
  const std::string array = model.arrays[staged.tile.array].name;
  ToExpr to = writer(staged);
  ExprPtr thread = linearThread();
  VarPtr turn;
  ExprPtr e = thread;
  if (total > size) {
    turn = makeLocal(names, "e", int32());
    e = ref(turn);
  }
  StmtList body;
  std::vector<ExprPtr> slots(n);
  std::vector<Poly> elements(n);
  ExprPtr pitch = intLit(1);
  // Products of named constants stay products.
  auto product = [](const ExprPtr& a, const ExprPtr& b) {
    return constantValue(a) == 1 ? b : constantValue(b) == 1 ? a : binary(BinaryOp::Mul, a, b);
  };
  VarPtr member;  // of the elements side by side
  StmtList inner;
  StmtList& perElement = side > 1 ? inner : body;
  for (size_t d = n; d-- > 0;) {
    ExprPtr value = over(e, pitch);
    ExprPtr count = countOf(staged, d);
    const bool isInnermost = d + 1 == n;
    if (isInnermost && side > 1) count = binary(BinaryOp::Div, count, intLit(side));
    if (d > 0) value = remainder(value, count);
    if (isInnermost && side > 1) value = times(value, intLit(side));
    pitch = product(count, pitch);
    if (n > 1 && dims[d].count > 1) {
      VarPtr var = makeLocal(names, dimensionName(d, n), int32(), true);
      body.insert(body.begin(), constant(var, value));
      value = ref(var);
    } else if (dims[d].count == 1) {
      value = intLit(0);
    }
    if (isInnermost && side > 1) {
      member = makeLocal(names, "v", int32());
      value = plus(value, ref(member));
    }
    slots[d] = value;
    to.stands(staged.tile.slots[d].atoms().front(), value);
  }
  for (size_t d = 0; d < n; ++d) {
    elements[d] = staged.tile.element(d);
    // A subscript that is used twice, in the guard and in the address, gets a name.
    if (staged.tile.exists->kind == CondKind::True) continue;
    auto value = expr(to, elements[d], staged.tile);
    if (!value) return value.refusal();
    if (as<VarRef>(*value) || as<IntLiteral>(*value)) continue;
    VarPtr var = makeLocal(names, array + "_" + (n == 1 ? "at" : dimensionName(d, n)), (*value)->type, true);
    (d + 1 == n ? perElement : body).push_back(constant(var, *value));
    to.stands(staged.tile.elements[d].atoms().front(), ref(var));
    elements[d] = staged.tile.elements[d];
  }
  auto copy = copyElement(staged, to, slots, elements);
  if (!copy) return copy.refusal();
  perElement.push_back(*copy);
  if (member)
    body.push_back(countingLoop({.var = member,
                                 .end = intLit(side),
                                 .step = intLit(1),
                                 .body = block(std::move(inner)),
                                 .unroll = -1}));
  if (turn)
    return StmtList{countingLoop(
        {.var = turn,
         .begin = thread,
         .end = pitch,
         .step = named(size, addConstant(kernel, {RoleKind::ThreadCount}, size, "threads of a block")),
         .body = block(std::move(body))})};
  if (total == size) return body.size() == 1 ? body : StmtList{block(std::move(body))};
  return StmtList{makeStmt(If{binary(BinaryOp::Lt, thread, pitch), block(std::move(body)), nullptr})};
}

}  // namespace hone::passes
