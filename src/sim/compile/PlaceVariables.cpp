// Where variables live: registers, local, shared or global memory.
#include "ir/Walk.h"
#include "sim/compile/Compiler.h"
#include "sim/compile/UnsetVariables.h"

namespace hone::sim {

using ir::TypeKind;

// Several times what GPUs have, 228 KiB for a block and 512 KiB for a thread, and little here.
constexpr uint64_t mostShared = 1 << 20, mostLocal = 2 << 20;

// Layout

std::vector<uint64_t> Compiler::baseOffsets(const ir::Record& record) const {
  std::vector<uint64_t> offsets;
  uint64_t at = 0;
  for (const ir::TypePtr& base : record.bases) {
    const bool isEmpty = leaves(*base).empty();
    const uint64_t align = alignOf(*base);
    at = (at + align - 1) / align * align;
    offsets.push_back(isEmpty ? 0 : at);
    if (!isEmpty) at += sizeOf(*base);
  }
  return offsets;
}

namespace {

// Whether no field before a bit-field lies in its storage unit.
bool beginsUnit(const ir::Record& record, size_t field) {
  return record.isUnion || field == 0 || !record.fields[field - 1].isBitField() ||
         record.offsets[field - 1] != record.offsets[field];
}

// A storage unit in pieces that can be loaded at once.
void addUnit(uint64_t offset, uint64_t bytes, uint64_t align, std::vector<Leaf>& list) {
  for (uint64_t at = 0; at < bytes;) {
    uint64_t piece = 8;
    while (piece > 1 && (at + piece > bytes || (offset + at) % piece || piece > align)) piece /= 2;
    const Scalar type = piece == 8   ? Scalar::U64
                        : piece == 4 ? Scalar::U32
                        : piece == 2 ? Scalar::U16
                                     : Scalar::U8;
    list.push_back({type, offset + at});
    at += piece;
  }
}

}  // namespace

void Compiler::addLeaves(const ir::Type& type, uint64_t offset, std::vector<Leaf>& list) const {
  switch (type.kind) {
    case TypeKind::Void: return;
    case TypeKind::Vector:
      for (unsigned i = 0; i < type.lanes; ++i)
        list.push_back({scalarOf(*type.element), offset + i * sizeOf(*type.element)});
      return;
    case TypeKind::Array:
      for (int64_t i = 0; i < type.extent; ++i)
        addLeaves(*type.element, offset + uint64_t(i) * sizeOf(*type.element), list);
      return;
    case TypeKind::Struct: {
      const std::vector<uint64_t> bases = baseOffsets(*type.record);
      for (size_t i = 0; i < bases.size(); ++i) addLeaves(*type.record->bases[i], offset + bases[i], list);
      for (size_t i = 0; i < type.record->fields.size(); ++i) {
        const ir::Field& field = type.record->fields[i];
        if (!field.isBitField())
          addLeaves(*field.type, offset + type.record->offsets[i], list);
        else if (beginsUnit(*type.record, i))
          addUnit(offset + type.record->offsets[i], field.unitBytes, type.record->align, list);
      }
      return;
    }
    default: list.push_back({scalarOf(type), offset});
  }
}

std::vector<Leaf> Compiler::leaves(const ir::Type& type) const {
  std::vector<Leaf> list;
  addLeaves(type, 0, list);
  return list;
}

std::vector<Leaf> Compiler::placeLeaves(const Place& p) const {
  if (!p.bitField) return leaves(*p.type);
  std::vector<Leaf> list;
  addUnit(p.unitOffset, p.bitField->unitBytes, p.unitAlign, list);
  for (Leaf& leaf : list) leaf.offset -= p.unitOffset;
  return list;
}

std::pair<size_t, size_t> Compiler::memberLeaves(const ir::Member& member) const {
  const ir::Record& record = *member.base->type->record;
  size_t first = 0;
  const size_t bases = member.baseClass >= 0 ? size_t(member.baseClass) : record.bases.size();
  for (size_t i = 0; i < bases; ++i) first += leafCount(*record.bases[i]);
  if (member.baseClass >= 0) return {first, leafCount(*record.bases[bases])};
  size_t unit = 0;  // leaves of the unit that the field before lies in
  for (size_t i = 0;; ++i) {
    const ir::Field& field = record.fields[i];
    size_t own = 0;
    if (field.isBitField() && !beginsUnit(record, i)) {
      first -= unit;
      own = unit;
    } else if (field.isBitField()) {
      std::vector<Leaf> list;
      addUnit(record.offsets[i], field.unitBytes, record.align, list);
      own = list.size();
    } else {
      own = leafCount(*field.type);
    }
    if (i == member.field) return {first, own};
    first += own;
    unit = own;
  }
}

// Which variables need memory

namespace {

bool holdsUnion(const ir::Type& type) {
  if (type.is(TypeKind::Array)) return holdsUnion(*type.element);
  if (!type.is(TypeKind::Struct)) return false;
  if (type.record->isUnion) return true;
  for (const ir::TypePtr& b : type.record->bases)
    if (holdsUnion(*b)) return true;
  for (const ir::Field& f : type.record->fields)
    if (holdsUnion(*f.type)) return true;
  return false;
}

void addBodies(const ir::StmtPtr& body, std::set<const ir::Function*>& seen, std::vector<ir::StmtPtr>& to) {
  to.push_back(body);
  ir::walkExprs(body, [&](const ir::Expr& e) {
    const auto* c = e.as<ir::Call>();
    if (c && c->function && c->function->body && seen.insert(c->function.get()).second)
      addBodies(c->function->body, seen, to);
  });
}

}  // namespace

void Compiler::findBodies() {
  std::set<const ir::Function*> seen;
  addBodies(inlined->body, seen, bodies);
}

void Compiler::findMemoryVariables() {
  for (const ir::StmtPtr& body : bodies) {
    for (const ir::Variable* v : ir::addressTaken(body)) inMemory.insert(v);
    ir::walkExprs(body, [&](const ir::Expr& e) {
      const auto* sub = e.as<ir::Subscript>();
      if (!sub || !sub->base->type->is(TypeKind::Array)) return;
      for (const ir::ExprPtr& i : sub->indices)
        if (!ir::constantValue(i))
          if (ir::VarPtr root = ir::rootVariable(sub->base)) inMemory.insert(root.get());
    });
  }
}

void Compiler::findTrackedVariables() {
  for (const ir::StmtPtr& body : bodies)
    for (const ir::Variable* v : maybeUnset(body)) trackedSet.insert(v);
}

void Compiler::sharedVariable(const ir::Variable& var) {
  if (homes.count(&var)) return;
  const ir::Type& type = *var.type;
  SharedVariable s;
  s.name = var.name;
  const ir::Type* element = &type;
  while (element->is(TypeKind::Array)) {
    s.extents.push_back(uint32_t(std::max<int64_t>(0, element->extent)));
    element = element->element.get();
  }
  s.elementBytes = uint32_t(sizeOf(*element));
  VariableHome h;
  h.space = MemorySpace::Shared;
  if (!var.isDynamicShared && (sizeOf(type) > mostShared || out.staticShared + sizeOf(type) > mostShared))
    cannotRun("more shared memory than a block can have on any GPU ('" + var.name + "')", var.loc);
  if (!var.isDynamicShared) {
    const uint64_t align =
        std::max<uint64_t>({alignOf(*element), var.alignment, type.is(TypeKind::Array) ? 16u : 1u});
    out.staticShared = uint32_t((out.staticShared + align - 1) / align * align);
    s.offset = out.staticShared;
    s.size = uint32_t(sizeOf(type));
    out.staticShared += s.size;
    h.offset = s.offset;
  } else {
    h.offset = -1;  // known when all others are placed
  }
  h.root = int(out.shared.size());
  homes[&var] = h;
  out.shared.push_back(std::move(s));
}

void Compiler::placeSharedVariables() {
  std::vector<std::pair<const ir::Variable*, size_t>> dynamic;
  const auto add = [&](const ir::Variable& v) {
    if (v.space != ir::Space::Shared || v.storage == ir::Storage::Param || homes.count(&v)) return;
    if (v.isDynamicShared) dynamic.push_back({&v, out.shared.size()});
    sharedVariable(v);
  };
  for (const ir::StmtPtr& body : bodies) {
    ir::walkStmts(body, [&](const ir::Stmt& s) {
      if (const auto* d = s.as<ir::Declare>()) add(*d->var);
    });
    ir::walkExprs(body, [&](const ir::Expr& e) {
      if (const auto* v = e.as<ir::VarRef>(); v && v->var->storage == ir::Storage::Global) add(*v->var);
    });
  }
  out.staticShared = (out.staticShared + 15) / 16 * 16;
  for (auto [var, index] : dynamic) {
    homes[var].offset = out.staticShared;
    out.shared[index].offset = out.staticShared;
  }
}

void Compiler::placeParameters() {
  uint64_t offset = 0;
  for (const ir::VarPtr& p : inlined->params) {
    const ir::Type& type = *p->type;
    Parameter param;
    param.name = p->name;
    param.typeText = ir::str(type);
    param.size = uint32_t(sizeOf(type));
    const uint64_t align = std::max<uint64_t>(1, alignOf(type));
    offset = (offset + align - 1) / align * align;
    param.offset = uint32_t(offset);
    offset += param.size;
    if (type.isPointer()) {
      param.isSharedPointer = type.space == ir::Space::Shared;
      param.isPointer = !param.isSharedPointer;
      param.isConst = type.isConst || type.space == ir::Space::Constant;
      param.isRestrict = type.isRestrict;
      param.elementBytes = uint32_t(sizeOf(*type.element));
      const std::vector<Leaf> of = leaves(*type.element);
      if (!of.empty()) param.element = of[0].type;
    } else if (type.isArithmetic()) {
      param.element = scalarOf(type);
      param.elementBytes = param.size;
    }
    VariableHome h;
    h.inRegisters = true;
    for (const Leaf& leaf : leaves(type)) {
      const Reg reg = Reg(uniformBank | out.uniformUnits);
      out.uniformUnits += registerUnits(leaf.type);
      param.leaves.push_back({uint32_t(leaf.offset), leaf.type, reg});
      h.regs.push_back(reg);
    }
    if (param.isPointer) h.root = int(out.parameters.size());
    if (param.isSharedPointer) {
      h.root = int(out.shared.size());
      SharedVariable s;
      s.name = p->name;
      s.elementBytes = param.elementBytes;
      s.parameter = int(out.parameters.size());
      out.shared.push_back(s);
    }
    out.parameters.push_back(param);
    homes[p.get()] = h;
  }
  out.argumentBytes = uint32_t(offset);
  // Parameters that change, or whose address is taken, are copies of the thread's own.
  const std::set<const ir::Variable*> assigned = ir::assignedVariables(inlined->body);
  for (const ir::VarPtr& p : inlined->params) {
    const bool needsMemory = inMemory.count(p.get()) || holdsUnion(*p->type);
    if (!needsMemory && !assigned.count(p.get())) continue;
    const Value arg{p->type, homes[p.get()].regs};
    homes.erase(p.get());
    declare(p);
    Place to = place(ir::ref(p));
    if (!needsMemory && to.inRegisters) {
      const std::vector<Leaf> of = leaves(*p->type);
      for (size_t i = 0; i < of.size(); ++i) move(to.regs[i], arg.regs[i], of[i].type);
    } else {
      store(to, arg);
    }
  }
}

Compiler::VariableHome Compiler::localMemory(const ir::Variable& var) {
  const ir::Type* element = var.type.get();
  while (element->is(TypeKind::Array)) element = element->element.get();
  const uint64_t size = sizeOf(*var.type);
  if (size > mostLocal || localTop + size > mostLocal)
    cannotRun("arrays of its own larger than a thread can have on any GPU ('" + var.name + "')", var.loc);
  // Arrays are aligned as CUDA's compilers do it: programs look at them through wider types.
  const uint64_t wide = var.type->is(TypeKind::Array) && size >= 8 ? (size >= 16 ? 16 : 8) : 4;
  const uint64_t align = std::max<uint64_t>({wide, alignOf(*element), var.alignment});
  localTop = uint32_t((localTop + align - 1) / align * align);
  VariableHome h;
  h.space = MemorySpace::Local;
  h.offset = localTop;
  h.root = int(out.locals.size());
  out.locals.push_back({var.name, localTop, uint32_t(size), uint32_t(std::max<uint64_t>(1, sizeOf(*element))),
                        within != nullptr});
  localTop += uint32_t((size + 3) / 4 * 4);
  if (within) h.base = frame;
  uint32_t& all = within ? frameBytes : out.localBytes;
  all = std::max(all, localTop);
  return h;
}

Compiler::VariableHome& Compiler::declare(const ir::VarPtr& var) {
  VariableHome h;
  if (inMemory.count(var.get()) || holdsUnion(*var->type) || leafCount(*var->type) > 256) {
    h = localMemory(*var);
  } else {
    h.inRegisters = true;
    h.regs = newRegisters(*var->type);
    if (trackedSet.contains(var.get()) && leafCount(*var->type) > 0) {  // an empty struct has nothing to read
      h.tracked = int(out.variables.size());
      out.variables.push_back(var->name);
    }
  }
  return homes[var.get()] = std::move(h);
}

const Compiler::VariableHome& Compiler::home(const ir::VarPtr& var) {
  auto it = homes.find(var.get());
  if (it != homes.end()) return it->second;
  if (var->storage == ir::Storage::Global) {
    globalVariable(*var);
    return homes.at(var.get());
  }
  return declare(var);
}

}  // namespace hone::sim
