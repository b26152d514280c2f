// Where variables live, and the frame of a program.
#include <cstring>

#include <fmt/format.h>

#include "ir/Error.h"
#include "ir/InlineCalls.h"
#include "ir/Walk.h"
#include "sim/compile/Compiler.h"
#include "sim/compile/UnsetVariables.h"

namespace hone::sim {

using ir::TypeKind;

void cannotRun(const std::string& what, const ir::SourceLoc& loc) {
  const std::string place = loc.str();
  throw Error((place.empty() ? "" : place + ": ") + "the embedded device cannot run this: " + what);
}

Scalar scalarOf(const ir::Type& type) {
  switch (type.kind) {
    case TypeKind::Bool: return Scalar::Bool;
    case TypeKind::Int:
      switch (type.bits) {
        case 8: return type.isSigned ? Scalar::I8 : Scalar::U8;
        case 16: return type.isSigned ? Scalar::I16 : Scalar::U16;
        case 32: return type.isSigned ? Scalar::I32 : Scalar::U32;
        default: return type.isSigned ? Scalar::I64 : Scalar::U64;
      }
    case TypeKind::Float: return type.bits == 16 ? Scalar::F16 : type.bits == 32 ? Scalar::F32 : Scalar::F64;
    case TypeKind::BFloat: return Scalar::BF16;
    default: return Scalar::U64;
  }
}

Compiler::Compiler(const ir::Kernel& k, const CompileOptions& o)
    : kernel(k), options(o), isOpenCL(k.language == ir::Language::OpenCL) {}

Program compile(const ir::Kernel& kernel, const CompileOptions& options) {
  return Compiler(kernel, options).compile();
}

Program Compiler::compile() {
  out.kernel = kernel.qualifiedName.empty() ? kernel.name : kernel.qualifiedName;
  out.isOpenCL = isOpenCL;
  out.files.push_back("");
  if (kernel.requiredBlock) out.requiredBlock = *kernel.requiredBlock;
  if (kernel.launchBounds) out.maxThreads = unsigned(kernel.launchBounds->maxThreads);
  inlined = ir::inlineCalls(std::make_shared<ir::Kernel>(kernel), [](const ir::Function&) { return true; });
  current = kernel.loc;
  findBodies();
  findMemoryVariables();
  findTrackedVariables();
  placeSharedVariables();
  placeParameters();
  collectCoordinates();
  const auto& body = inlined->body->as<ir::Block>()->stmts;
  // A return that ends the kernel is no early exit.
  ir::StmtList list = body;
  while (!list.empty() && (list.back()->is<ir::Comment>() || list.back()->is<ir::Return>())) list.pop_back();
  statements(list);
  current = {};
  for (size_t i : toExit) out.code[i].imm = here();
  emit({.op = Op::Exit, .imm2 = 1});
  out.warpUnits = std::max(out.warpUnits, top);
  out.localBytes = (out.localBytes + 15) / 16 * 16;
  return std::move(out);
}

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
      for (size_t i = 0; i < type.record->fields.size(); ++i)
        addLeaves(*type.record->fields[i].type, offset + type.record->offsets[i], list);
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

void Compiler::collectCoordinates() {
  std::set<std::pair<int, int>> used;
  for (const ir::StmtPtr& body : bodies)
    ir::walkExprs(body, [&](const ir::Expr& e) {
      if (const auto* c = e.as<ir::Coord>()) used.insert({int(c->kind), c->axis});
    });
  using ir::CoordKind;
  const Op threads[] = {Op::ThreadX, Op::ThreadY, Op::ThreadZ},
           blocks[] = {Op::BlockX, Op::BlockY, Op::BlockZ};
  for (auto [kind, axis] : used) {
    Reg reg = noReg;
    switch (CoordKind(kind)) {
      case CoordKind::ThreadIdx: reg = emitOp(threads[axis], Scalar::U32, noReg); break;
      case CoordKind::BlockIdx: reg = emitOp(blocks[axis], Scalar::U32, noReg); break;
      case CoordKind::BlockDim: reg = uniform(Uniform(int(Uniform::BlockDimX) + axis)); break;
      case CoordKind::GridDim: reg = uniform(Uniform(int(Uniform::GridDimX) + axis)); break;
      case CoordKind::WorkDim: reg = uniform(Uniform::WorkDim); break;
      case CoordKind::WarpSize: reg = intConstant(warpLanes); break;
      case CoordKind::GlobalOffset: reg = uniform(Uniform(int(Uniform::OffsetX) + axis)); break;
      case CoordKind::GlobalSize:
        reg = emitOp(Op::MulI32, Scalar::U32, uniform(Uniform(int(Uniform::BlockDimX) + axis)),
                     uniform(Uniform(int(Uniform::GridDimX) + axis)));
        break;
      case CoordKind::GlobalId: {
        const Reg block = emitOp(blocks[axis], Scalar::U32, noReg);
        const Reg start =
            emitOp(Op::MulI32, Scalar::U32, block, uniform(Uniform(int(Uniform::BlockDimX) + axis)));
        const Reg local = emitOp(threads[axis], Scalar::U32, noReg);
        const Reg id = emitOp(Op::AddI32, Scalar::U32, start, local);
        reg = emitOp(Op::AddI32, Scalar::U32, id, uniform(Uniform(int(Uniform::OffsetX) + axis)));
        break;
      }
    }
    coordinates[{kind, axis}] = reg;
  }
}

Reg Compiler::uniform(Uniform what) {
  auto [it, isNew] = uniforms.try_emplace(what, noReg);
  if (isNew) {
    it->second = Reg(uniformBank | out.uniformUnits++);
    out.uniforms.push_back({what, it->second});
  }
  return it->second;
}

Compiler::VariableHome Compiler::localMemory(const ir::Variable& var) {
  const ir::Type* element = var.type.get();
  while (element->is(TypeKind::Array)) element = element->element.get();
  const uint64_t size = sizeOf(*var.type);
  // Arrays are aligned as CUDA's compilers do it: programs look at them through wider types.
  const uint64_t wide = var.type->is(TypeKind::Array) && size >= 8 ? (size >= 16 ? 16 : 8) : 4;
  const uint64_t align = std::max<uint64_t>({wide, alignOf(*element), var.alignment});
  localTop = uint32_t((localTop + align - 1) / align * align);
  VariableHome h;
  h.space = MemorySpace::Local;
  h.offset = localTop;
  h.root = int(out.locals.size());
  out.locals.push_back(
      {var.name, localTop, uint32_t(size), uint32_t(std::max<uint64_t>(1, sizeOf(*element)))});
  localTop += uint32_t((size + 3) / 4 * 4);
  out.localBytes = std::max(out.localBytes, localTop);
  return h;
}

Compiler::VariableHome& Compiler::declare(const ir::VarPtr& var) {
  VariableHome h;
  if (inMemory.count(var.get()) || holdsUnion(*var->type) || leafCount(*var->type) > 256) {
    h = localMemory(*var);
  } else {
    h.inRegisters = true;
    h.regs = newRegisters(*var->type);
    if (trackedSet.count(var.get())) {
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

// Globals

namespace {

void putScalar(Scalar type, const ir::ExprPtr& e, uint8_t* at, const std::function<void()>& fail) {
  ir::ExprPtr value = e;
  double number = 0;
  int64_t integer = 0;
  bool isFloat = false;
  bool negative = false;
  for (bool peeling = true; peeling;) {
    peeling = false;
    if (const auto* c = ir::as<ir::Cast>(value)) {
      value = c->operand;
      peeling = true;
    } else if (const auto* u = ir::as<ir::Unary>(value);
               u && u->op == ir::UnaryOp::Neg && value->type->isFloating()) {
      negative = !negative;
      value = u->operand;
      peeling = true;
    }
  }
  if (const auto* f = ir::as<ir::FloatLiteral>(value)) {
    number = negative ? -f->value : f->value;
    integer = int64_t(number);
    isFloat = true;
  } else if (auto v = ir::constantValue(value)) {
    integer = negative ? -*v : *v;
    number = double(integer);
  } else if (!ir::as<ir::NullPointer>(value)) {
    fail();
  }
  (void)isFloat;
  switch (type) {
    case Scalar::F32: {
      const float v = float(number);
      std::memcpy(at, &v, 4);
      break;
    }
    case Scalar::F64: std::memcpy(at, &number, 8); break;
    case Scalar::F16: {
      const _Float16 v = _Float16(number);
      std::memcpy(at, &v, 2);
      break;
    }
    case Scalar::BF16: {
      const float v = float(number);
      uint32_t bits;
      std::memcpy(&bits, &v, 4);
      bits >>= 16;
      std::memcpy(at, &bits, 2);
      break;
    }
    default: std::memcpy(at, &integer, memoryBytes(type));
  }
}

}  // namespace

std::vector<uint8_t> Compiler::initialBytes(const ir::Variable& var) {
  std::vector<uint8_t> bytes(sizeOf(*var.type));
  const std::function<void(const ir::Type&, const ir::ExprPtr&, uint64_t)> put =
      [&](const ir::Type& type, const ir::ExprPtr& e, uint64_t at) {
        const auto fail = [&] { cannotRun("the initial value of '" + var.name + "'", var.loc); };
        if (const auto* c = ir::as<ir::Construct>(e)) {
          if (type.is(TypeKind::Struct)) {
            const std::vector<uint64_t> bases = baseOffsets(*type.record);
            for (size_t i = 0; i < c->parts.size(); ++i) {
              if (i < bases.size())
                put(*type.record->bases[i], c->parts[i], at + bases[i]);
              else
                put(*type.record->fields[i - bases.size()].type, c->parts[i],
                    at + type.record->offsets[i - bases.size()]);
            }
          } else if (type.is(TypeKind::Array) || type.is(TypeKind::Vector)) {
            for (size_t i = 0; i < c->parts.size(); ++i)
              put(*type.element, c->parts[i], at + i * sizeOf(*type.element));
          } else if (!c->parts.empty()) {
            put(type, c->parts[0], at);
          }
          return;
        }
        if (!type.isArithmetic() && !type.isPointer()) fail();
        putScalar(scalarOf(type), e, bytes.data() + at, fail);
      };
  put(*var.type, var.init, 0);
  return bytes;
}

void Compiler::globalVariable(const ir::Variable& var) {
  GlobalVariable g;
  g.name = var.spelling.empty() ? var.name : var.spelling;
  g.key = var.linkageName.empty() ? g.name : var.linkageName;
  g.size = sizeOf(*var.type);
  const ir::Type* element = var.type.get();
  while (element->is(TypeKind::Array)) element = element->element.get();
  g.align = uint32_t(std::max<uint64_t>({alignOf(*element), var.alignment, 16}));
  g.elementBytes = uint32_t(std::max<uint64_t>(1, sizeOf(*element)));
  g.isConstant = var.space == ir::Space::Constant;
  g.isManaged = var.isManaged;
  if (var.init) g.init = initialBytes(var);
  g.reg = Reg(uniformBank | out.uniformUnits);
  out.uniformUnits += 2;
  VariableHome h;
  h.space = g.isConstant ? MemorySpace::Constant : MemorySpace::Global;
  h.base = g.reg;
  homes[&var] = h;
  out.globals.push_back(std::move(g));
}

// Registers and instructions

Reg Compiler::newRegister(Scalar type) {
  const Reg reg = Reg(top);
  top += registerUnits(type);
  if (top >= uniformBank - 64u) cannotRun("it needs more registers than the device has", current);
  out.warpUnits = std::max(out.warpUnits, top);
  return reg;
}

std::vector<Reg> Compiler::newRegisters(const ir::Type& type) {
  std::vector<Reg> regs;
  for (const Leaf& leaf : leaves(type)) regs.push_back(newRegister(leaf.type));
  return regs;
}

Reg Compiler::constant(Scalar type, uint64_t bits) {
  if (!isWide(type)) bits &= 0xffffffffu;
  auto [it, isNew] = constants.try_emplace({uint8_t(isWide(type)), bits}, noReg);
  if (isNew) {
    it->second = Reg(uniformBank | out.uniformUnits);
    out.uniformUnits += registerUnits(type);
    if (out.uniformUnits >= uniformBank - 64u) cannotRun("it has too many constants", current);
    out.constants.push_back({type, bits, it->second});
  }
  return it->second;
}

Location Compiler::locationOf(const ir::SourceLoc& loc) {
  if (!loc.valid()) return {};
  auto [it, isNew] = fileIndex.try_emplace(*loc.file, uint32_t(out.files.size()));
  if (isNew) out.files.push_back(*loc.file);
  return {it->second, loc.line, loc.column};
}

size_t Compiler::emit(const Instr& instr) {
  out.code.push_back(instr);
  out.locations.push_back(locationOf(current));
  return out.code.size() - 1;
}

size_t Compiler::emitMemory(const Instr& instr, const ir::Expr* origin) {
  const size_t pc = emit(instr);
  if (options.onMemory && origin) options.onMemory(uint32_t(pc), *origin);
  return pc;
}

Reg Compiler::emitOp(Op op, Scalar result, Reg a, Reg b, Reg c, Reg into) {
  const Reg dst = into == noReg ? newRegister(result) : into;
  emit({.op = op, .type = result, .dst = dst, .a = a, .b = b, .c = c});
  return dst;
}

void Compiler::move(Reg dst, Reg src, Scalar type) {
  if (dst != src) emit({.op = isWide(type) ? Op::Mov64 : Op::Mov32, .type = type, .dst = dst, .a = src});
}

}  // namespace hone::sim
