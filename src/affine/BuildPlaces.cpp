// Pointers and places, and the accesses of a statement.
#include <fmt/core.h>

#include <algorithm>

#include "affine/Builder.h"
#include "ir/CallEffects.h"

namespace hone::affine {

using ir::as;
using ir::TypeKind;

ArrayId Builder::arrayFor(const ir::VarPtr& var, const std::string& path, const ir::TypePtr& type,
                          ir::Space space) {
  auto [entry, isNew] = arrayIndex.try_emplace({var.get(), path});
  if (!isNew) return entry->second;
  Array array;
  array.var = var;
  array.name = path;
  array.space = space;
  array.element = type;
  const bool isPointer = var->type->isPointer() && path == var->name;
  if (isPointer) {
    array.isConst = var->type->isConst;
    array.isRestrict = var->type->isRestrict;
    array.isVolatile = var->type->isVolatile;
  } else {
    array.isVolatile = var->isVolatile;
    array.isConst = var->isConst || space == ir::Space::Constant;
  }
  for (; array.element->is(TypeKind::Array); array.element = array.element->element)
    array.extents.push_back(array.element->extent);
  return entry->second = model.arrays.add(std::move(array));
}

// A place in memory. Places in the thread's own variables that are no arrays do not come here.
Builder::Place Builder::placeOf(const ir::ExprPtr& place) {
  if (const auto* use = as<ir::VarRef>(place)) {
    const ir::VarPtr& var = use->var;
    ir::Space space = var->space;
    if (var->storage == ir::Storage::Global && space == ir::Space::Private) space = ir::Space::Global;
    Place out;
    out.array = arrayFor(var, var->name, var->type, space);
    return out;
  }
  if (const auto* element = as<ir::Subscript>(place)) return elementOf(*element, place->loc);
  if (const auto* field = as<ir::Member>(place)) {
    Place out = placeOf(field->base);
    out.subscripts.clear();
    const ir::Record& record = *field->base->type->record;
    if (field->baseClass >= 0) {
      if (field->baseClass > 0) out.reason = "a base class after the first";
    } else if (field->field < record.offsets.size()) {
      out.bytes += Poly(static_cast<int64_t>(record.offsets[field->field]));
    } else {
      out.reason = "a field whose place is not known";
    }
    return out;
  }
  if (const auto* lanes = as<ir::Swizzle>(place)) {
    Place out = placeOf(lanes->base);
    out.subscripts.clear();
    const auto size = static_cast<int64_t>(sizeOf(*lanes->base->type->element));
    if (!lanes->lanes.empty()) out.bytes += Poly(size * lanes->lanes[0]);
    return out;
  }
  Place out;
  out.reason = "memory that no variable names";
  out.varies = variationOf(value(place));
  return out;
}

Builder::Place Builder::elementOf(const ir::Subscript& element, const ir::SourceLoc& loc) {
  Place out;
  ir::TypePtr type;  // of what the next index goes through
  size_t next = 0;
  const bool throughPointer = element.base->type->isPointer();
  std::vector<Poly> subscripts;
  if (throughPointer) {
    Value pointer = value(element.base);
    if (pointer.isPointer()) {
      out.array = pointer.array;
      out.bytes = pointer.bytes;
    }
    if (out.array.isNone()) {
      out.reason = pointer.reason.empty() ? "a pointer that is not known" : pointer.reason;
      out.varies = variationOf(pointer);
    }
    out.requirements = pointer.requirements;
    type = element.base->type;
  } else {
    out = placeOf(element.base);
    type = element.base->type;
    subscripts = out.subscripts;
  }
  for (; next < element.indices.size(); ++next) {
    const ir::ExprPtr& index = element.indices[next];
    type = type->element;
    Value at = value(index);
    if (!at.isNumber()) {
      out.reason = at.reason.empty() ? "an index that is no integer" : at.reason;
      out.varies |= variationOf(at);
      continue;
    }
    // 64-bit addresses wrap as the arithmetic before them did.
    if (index->type->bits < 64) settled(at, *index->type, loc);
    out.requirements.insert(at.requirements.begin(), at.requirements.end());
    out.bytes += at.poly * Poly(static_cast<int64_t>(sizeOf(*type)));
    subscripts.push_back(at.poly);
  }
  // Declared dimensions, when the subscript goes through the array itself.
  const ir::VarPtr root = throughPointer ? nullptr : ir::rootVariable(element.base);
  if (out.array.isSome() && root && model.arrays[out.array].var == root &&
      subscripts.size() == model.arrays[out.array].extents.size())
    out.subscripts = std::move(subscripts);
  else
    out.subscripts.clear();
  return out;
}

Value Builder::pointerTo(const ir::ExprPtr& place) {
  Place at = placeOf(place);
  Value v = pointerValue(at.reason.empty() ? at.array : ArrayId::none(), at.bytes);
  v.varies = at.varies;
  v.reason = at.reason;
  v.requirements = std::move(at.requirements);
  return v;
}

// Fills in the accesses that a statement makes, with the state before it.
void Builder::recordAccesses(const ir::StmtPtr& s) {
  if (!recording) return;
  auto known = handlesOf.find(s.get());
  if (known == handlesOf.end()) return;
  // A statement that occurs several times in the tree has its accesses once for each.
  size_t& first = taken[s.get()];
  const std::vector<AccessId>& all = known->second;
  const size_t count = ir::accesses(*s).size();
  for (size_t i = 0; i < count && first < all.size(); ++i, ++first) {
    const AccessId id = all[first];
    fillAccess(model.accesses[id], handles.accesses[static_cast<size_t>(id.number())]);
  }
  // In an assignment the value is read before the place is written; handles list the place first.
  std::vector<AccessId> order(all.begin() + static_cast<long>(first - std::min(count, first)),
                              all.begin() + static_cast<long>(first));
  const auto isStore = [&](AccessId i) { return model.accesses[i].mode == ir::AccessMode::Write; };
  for (bool stores : {false, true})
    for (const AccessId id : order)
      if (isStore(id) == stores) addEvent({.kind = EventKind::Access, .access = id});
}

// A struct moves field by field: the bytes of its smallest part.
unsigned Builder::unitOf(const ir::Type& type) const {
  if (type.is(TypeKind::Array)) return unitOf(*type.element);
  if (!type.is(TypeKind::Struct)) return static_cast<unsigned>(std::min<uint64_t>(16, sizeOf(type)));
  unsigned out = 16;
  for (const ir::TypePtr& base : type.record->bases) out = std::min(out, unitOf(*base));
  for (const ir::Field& field : type.record->fields)
    out = std::min(out, field.isBitField() ? field.unitBytes : unitOf(*field.type));
  return out;
}

// Several lanes of a vector in memory: a reading takes the whole vector, a writing these lanes alone. False
// when `out` then says more than is touched.
bool Builder::severalLanes(Access& out, const ir::Swizzle& lanes, Place& place) {
  const auto size = static_cast<int64_t>(sizeOf(*lanes.base->type->element));
  const auto [least, most] = std::ranges::minmax(lanes.lanes);
  place.bytes -= Poly(size * lanes.lanes[0]);
  if (out.reads()) {
    out.bytes = static_cast<unsigned>(size) * lanes.base->type->lanes;
    return !out.writes();
  }
  place.bytes += Poly(size * least);
  out.bytes = static_cast<unsigned>(size * (most - least + 1));
  return static_cast<size_t>(most - least) + 1 == lanes.lanes.size();
}

void Builder::fillAccess(Access& out, const ir::AccessHandle& handle) {
  const ir::Access& access = handle.access;
  out.exactness = Exactness::Exact;
  out.reason.clear();
  out.loc = access.place->loc.valid() ? access.place->loc : handle.stmt ? handle.stmt->loc : ir::SourceLoc{};
  out.loops = nest;
  std::set<unsigned> requirements = guardRequirements;
  std::vector<CondPtr> conditions = {guard};
  for (const ir::ExprPtr& cond : access.conditions) conditions.push_back(truth(cond, requirements));
  out.guard = allOf(std::move(conditions));

  Place place;
  try {
    place = placeOf(access.whole && access.whole->type && ir::isPlace(*access.whole) ? access.whole
                                                                                     : access.place);
    if (place.subscripts.empty() && access.whole != access.place)
      place.subscripts = placeOf(access.place).subscripts;
  } catch (const TooLarge&) {
    place.reason = "numbers that outgrow 64 bits";
  }
  const ir::ExprPtr& moved = ir::isPlace(*access.whole) ? access.whole : access.place;
  const ir::Field* const bits = bitField(*moved);
  out.bytes = bits ? bits->unitBytes : static_cast<unsigned>(sizeOf(*moved->type));
  // Three lanes take the room of four in OpenCL; the fourth is left alone.
  if (moved->type->is(TypeKind::Vector) && moved->type->lanes == 3)
    out.bytes = 3 * static_cast<unsigned>(sizeOf(*moved->type->element));
  if (moved->type->is(TypeKind::Struct)) out.unit = unitOf(*moved->type);
  bool isLoose = false;
  if (const auto* lanes = as<ir::Swizzle>(moved); lanes && lanes->lanes.size() > 1)
    isLoose = !severalLanes(out, *lanes, place);
  if (access.through) addressThrough(out, *access.through, place);
  out.array = place.array;
  out.isSpelledOut = place.reason.empty() && place.array.isSome();
  const bool isVolatile = access.through
                              ? ir::isVolatileLoad(*access.through) || ir::isVolatile(*access.place)
                              : access.mode != ir::AccessMode::Address && ir::isVolatile(*access.place);
  // What one access says holds for the array: no pass may merge it with others, or move those across it.
  if (isVolatile && out.array.isSome()) model.arrays[out.array].isVolatile = true;
  out.address = place.bytes;
  out.subscripts = place.subscripts;
  out.conditionRequirements.assign(requirements.begin(), requirements.end());
  out.addressRequirements.assign(place.requirements.begin(), place.requirements.end());
  for (LoopId loop : nest) requirements.insert(loopRequirements[loop].begin(), loopRequirements[loop].end());
  out.guardRequirements.assign(requirements.begin(), requirements.end());
  requirements.insert(place.requirements.begin(), place.requirements.end());
  out.requirements.assign(requirements.begin(), requirements.end());

  std::string opaque;
  atoms.forEachAtom(out.address, [&](AtomId id) {
    if (atoms[id].kind == AtomKind::Opaque && opaque.empty())
      opaque = atoms[id].reason.empty() ? atoms[id].name : atoms[id].reason;
  });
  if (!place.reason.empty() || place.array.isNone() || !opaque.empty()) {
    out.exactness = Exactness::Unknown;
    out.reason = !place.reason.empty() ? place.reason
                 : !opaque.empty()     ? opaque
                                       : "a pointer that is not known";
    return;
  }
  if (isLoose) {
    out.exactness = Exactness::Over;
    out.reason = "touches some lanes of a vector";
  }
  if (std::string why = unknownReason(out.guard); !why.empty()) {
    out.exactness = Exactness::Over;
    out.reason = "happens under a condition that is not known: " + why;
  }
  bool opaqueGuard = false;
  atoms.forEachAtom(out.guard, [&](AtomId id) {
    if (atoms[id].kind != AtomKind::Opaque || opaqueGuard) return;
    opaqueGuard = true;
    out.exactness = Exactness::Over;
    out.reason = "happens under a condition that is not known: " + atoms[id].reason;
  });
  for (LoopId loop : nest) {
    const Loop& l = model.loops[loop];
    if (l.exactness == Exactness::Exact || out.exactness != Exactness::Exact) continue;
    out.exactness = Exactness::Over;
    out.reason = l.inexact;
  }
  if (handle.stmt && (handle.stmt->is<ir::For>() || handle.stmt->is<ir::While>()) &&
      out.exactness == Exactness::Exact) {
    out.exactness = Exactness::Over;
    out.reason = "a loop's condition is tested once more than the loop runs";
  }
}

// What an intrinsic does with the pointer it is given.
void Builder::addressThrough(Access& out, const ir::Call& call, Place& place) {
  const ir::Intrinsic& fn = *call.intrinsic;
  if (const ir::VectorAccess& vector = fn.traits.vector; vector.lanes > 0) {
    if (vector.elements != ir::Elements::AsTyped) {
      place.reason = fmt::format("the addresses of `{}`", fn.id);
      return;
    }
    const ir::ExprPtr& offset = call.args[fn.cls == ir::IntrinsicClass::Load ? 0 : 1];
    Value at = value(offset);
    if (!at.isNumber()) {
      place.reason = at.reason;
      return;
    }
    out.unit = out.bytes;  // aligned as one element is
    out.bytes *= vector.lanes;
    place.bytes += at.poly * Poly(static_cast<int64_t>(out.bytes));
    place.requirements.insert(at.requirements.begin(), at.requirements.end());
    return;
  }
  if (fn.cls == ir::IntrinsicClass::Atomic || fn.traits.hint != ir::CacheHint::None ||
      fn.cls == ir::IntrinsicClass::Math)
    return;
  place.reason = fmt::format("the addresses of `{}`", fn.id);
  // As many bytes behind the first as the call is told to take: any of them.
  if (fn.id == "memcpy" || fn.id == "memset") {
    Variation varies;
    varies.anyThread = true;
    for (const LoopId loop : nest) varies.loops |= loopBit(loop);
    place.bytes += atoms.opaque(text(call.args.back()), place.reason, varies);
    place.subscripts.clear();
  }
}

}  // namespace hone::affine
