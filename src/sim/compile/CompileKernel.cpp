// The frame of a program, its coordinates, registers and instructions.
#include <algorithm>

#include "ir/Error.h"
#include "ir/InlineCalls.h"
#include "ir/Walk.h"
#include "sim/compile/Compiler.h"

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
  findRecursion();
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
  out.warpUnits = std::max(out.warpUnits, top.unit);
  out.localBytes = out.stackBase = (out.localBytes + 15) / 16 * 16;
  for (const ir::Function* fn : recursiveInOrder) compileSubroutine(*fn);
  const bool needsStack = std::any_of(out.subroutines.begin(), out.subroutines.end(),
                                      [](const Subroutine& s) { return s.localBytes > 0; });
  if (needsStack) out.localBytes += stackBytes;
  return std::move(out);
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

// Registers and instructions

Reg Compiler::newRegister(Scalar type) {
  const bool isApart = within && isWide(type);
  uint32_t& next = isApart ? top.wide : top.unit;
  const Reg reg = Reg(next);
  next += registerUnits(type);
  if (next >= uniformBank - 64u) cannotRun("it needs more registers than the device has", current);
  out.warpUnits = std::max(out.warpUnits, next);
  if (!isApart) mostUnits = std::max(mostUnits, next);
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
