#include "WatchedRun.h"

#include <bit>
#include <cstring>

#include "TypedData.h"
#include "ir/Handles.h"
#include "ir/InlineCalls.h"
#include "sim/count/Profile.h"
#include "sim/memory/Memory.h"

namespace hone::test {
namespace {

// Every node anew, so that one that stood in two places is two.
class Unshare : public ir::Rewriter {
 protected:
  ir::ExprPtr mapExpr(const ir::ExprPtr& e) override { return ir::makeExpr(e->type, e->node, e->loc); }
  ir::StmtList mapStmt(const ir::StmtPtr& s) override { return {ir::makeStmt(s->node, s->loc)}; }
};

ir::KernelPtr unshared(const ir::KernelPtr& kernel) {
  auto out = std::make_shared<ir::Kernel>(*ir::inlineCalls(kernel, [](const ir::Function&) { return true; }));
  out->body = Unshare().rewriteBlock(out->body);
  return out;
}

// Numbers of a parameter under the names of the model's symbols: n, p.width, v.x
void addSymbols(affine::Launch& launch, const std::string& name, const ir::Type& type, const uint8_t* bytes,
                size_t size, bool isOpenCL) {
  if (type.is(ir::TypeKind::Int) || type.is(ir::TypeKind::Bool)) {
    const size_t width = ir::sizeOf(type, isOpenCL);
    if (width > size || width > 8) return;
    uint64_t v = 0;
    std::memcpy(&v, bytes, width);
    if (type.isSigned && width < 8 && (v >> (8 * width - 1)) & 1) v |= ~uint64_t{0} << (8 * width);
    launch.symbols[name] = static_cast<int64_t>(v);
  } else if (type.is(ir::TypeKind::Struct)) {
    for (size_t f = 0; f < type.record->fields.size(); ++f) {
      const uint64_t offset = type.record->offsets[f];
      if (offset < size)
        addSymbols(launch, name + "." + type.record->fields[f].name, *type.record->fields[f].type,
                   bytes + offset, size - offset, isOpenCL);
    }
  } else if (type.is(ir::TypeKind::Vector)) {
    const size_t width = ir::sizeOf(*type.element, isOpenCL);
    for (size_t lane = 0; lane < type.lanes && lane < 4 && (lane + 1) * width <= size; ++lane)
      addSymbols(launch, name + "." + "xyzw"[lane], *type.element, bytes + lane * width, width, isOpenCL);
  }
}

class Watch {
 public:
  Watch(const ir::KernelPtr& kernel, const RunLine& runLine, size_t runIndex)
      : line(runLine), index(runIndex), numbers(line.numbersOf(index)) {
    const std::array<uint64_t, 3> block = line.extents(line.block, numbers, 1);
    out.model = affine::buildModel(
        unshared(kernel),
        {static_cast<unsigned>(block[0]), static_cast<unsigned>(block[1]), static_cast<unsigned>(block[2])});
    findOrigins();
    sim::CompileOptions options;
    options.onMemory = [&](uint32_t pc, const ir::Expr& origin) { note(pc, origin); };
    program = sim::compile(*out.model.kernel, options);
    out.sharedStart.resize(out.model.arrays.size());
    out.counted.resize(out.model.accesses.size());
    bufferOf.resize(out.model.arrays.size());
    out.instructions.resize(out.model.accesses.size());
  }

  WatchedRun run(const target::Target& target) {
    sim::Profiling profiling;
    profiling.target = &target;
    profiling.options.exact = true;
    profiling.options.caches = false;
    const DeviceRun ran = runOnDevice(
        *out.model.kernel, program, line, index, [&](const sim::WarpAccess& access) { see(access); },
        &profiling);
    for (const auto& [pc, count] : profiling.counters.memory)
      if (const auto at = kindAt.find(pc); at != kindAt.end())
        out.counted[at->second.first][at->second.second].add(count);
    out.name = ran.name;
    for (const std::string& problem : ran.problems) out.problem = problem;
    bind(ran);
    for (auto& [key, instruction] : made)
      out.instructions[std::get<0>(key)].push_back(std::move(instruction));
    return std::move(out);
  }

 private:
  void findOrigins() {
    const ir::KernelHandles handles = ir::handles(*out.model.kernel);
    for (size_t i = 0; i < handles.accesses.size(); ++i) {
      const ir::Access& access = handles.accesses[i].access;
      const affine::AccessId id(i);
      if (access.mode == ir::AccessMode::Address) continue;
      if (access.through) {
        byCall[access.through].push_back(id);
      } else {
        // The device names the place, or what is selected from it, or what lies between.
        const ir::Expr* e = access.whole.get();
        for (const ir::ExprPtr* base = nullptr; e != access.place.get(); e = base->get()) {
          byExpr[e] = id;
          const auto* field = e->as<ir::Member>();
          const auto* lanes = e->as<ir::Swizzle>();
          if (!field && !lanes) break;
          base = field ? &field->base : &lanes->base;
        }
        byExpr[access.place.get()] = id;
      }
    }
  }

  void note(uint32_t pc, const ir::Expr& origin) {
    if (const auto at = byExpr.find(&origin); at != byExpr.end()) accessesAt[pc] = {at->second};
    if (const auto* call = origin.as<ir::Call>())
      if (const auto at = byCall.find(call); at != byCall.end()) accessesAt[pc] = at->second;
  }

  // Of the accesses that a call makes, the one of this kind.
  affine::AccessId accessAt(const sim::WarpAccess& seen) const {
    const auto at = accessesAt.find(seen.pc);
    if (at == accessesAt.end()) return {};
    if (at->second.size() == 1) return at->second.front();
    for (const affine::AccessId i : at->second) {
      const affine::Access& access = out.model.accesses[i];
      if (seen.kind == sim::AccessKind::Load ? access.reads() : access.writes()) return i;
    }
    return {};
  }

  void see(const sim::WarpAccess& seen) {
    const affine::AccessId which = accessAt(seen);
    if (which.isNone()) return;
    const affine::Access& access = out.model.accesses[which];
    if (access.array.isNone()) return;
    kindAt[seen.pc] = {which, seen.kind};
    const affine::ArrayId array = access.array;
    uint64_t base = 0;
    if (seen.space == sim::MemorySpace::Shared) {
      if (!out.sharedStart[array]) out.sharedStart[array] = startOf(out.model.arrays[array]);
      base = *out.sharedStart[array];
    } else if (seen.space != sim::MemorySpace::Local) {
      const auto first = static_cast<size_t>(std::countr_zero(seen.mask));
      if (!bufferOf[array]) bufferOf[array] = seen.buffer[first];
      base = bufferOf[array]->base;
      for (size_t lane = 0; lane < 32; ++lane)
        if ((seen.mask >> lane & 1) && seen.buffer[lane] != bufferOf[array])
          out.problem = access.handle + " is taken to lie in " + bufferOf[array]->name + " and lies in " +
                        seen.buffer[lane]->name;
    }
    Request request;
    request.mask = seen.mask;
    for (size_t lane = 0; lane < 32; ++lane)
      if (seen.mask >> lane & 1) request.address[lane] = static_cast<int64_t>(seen.address[lane] - base);
    Instruction& instruction = made[{which, seen.kind, program.code[seen.pc].imm}];
    instruction.kind = seen.kind;
    instruction.bytes = seen.bytes;
    instruction.requests[{seen.place.block, seen.place.warp}].push_back(request);
  }

  // Where a shared array begins.
  uint64_t startOf(const affine::Array& array) const {
    uint64_t dynamic = program.staticShared;
    for (const sim::SharedVariable& variable : program.shared) {
      if (variable.parameter >= 0) {
        dynamic = (dynamic + 15) / 16 * 16;
        const ir::Variable& parameter = *out.model.kernel->params[static_cast<size_t>(variable.parameter)];
        if (array.var->name == parameter.name) return dynamic;
        if (const auto local = line.locals.find(parameter.name); local != line.locals.end())
          dynamic += static_cast<uint64_t>(evaluate(local->second, numbers));
      } else if (variable.name == array.var->name) {
        return variable.size == 0 ? program.staticShared : variable.offset;
      }
    }
    return 0;
  }

  void bind(const DeviceRun& ran) {
    affine::Launch& launch = out.launch;
    const bool isOpenCL = out.model.kernel->language == ir::Language::OpenCL;
    for (size_t axis = 0; axis < 3; ++axis) {
      launch.grid[axis] = static_cast<int64_t>(ran.launch.global[axis] / ran.launch.local[axis]);
      launch.globalOffset[axis] = static_cast<int64_t>(ran.launch.offset[axis]);
    }
    launch.workDim = ran.launch.dimensions;
    for (size_t p = 0; p < ran.launch.arguments.size(); ++p) {
      const JobArgument& argument = ran.launch.arguments[p];
      const ir::Variable& parameter = *out.model.kernel->params[p];
      if (argument.kind == JobArgument::Value)
        addSymbols(launch, parameter.name, *parameter.type, argument.bytes.data(), argument.bytes.size(),
                   isOpenCL);
    }
    // Constants of the program, as they are before anyone writes them.
    for (affine::AtomId id = 0; id < out.model.atoms->size(); ++id) {
      const affine::Atom& atom = (*out.model.atoms)[id];
      if (atom.kind != affine::AtomKind::Symbol || !atom.variable ||
          atom.variable->storage != ir::Storage::Global)
        continue;
      for (const sim::GlobalVariable& global : program.globals) {
        if (global.name != atom.variable->name || !ir::sameType(*atom.variable->type, *atom.variable->type))
          continue;
        std::vector<uint8_t> bytes = global.init;
        bytes.resize(global.size);
        addSymbols(launch, atom.variable->name, *atom.variable->type, bytes.data(), bytes.size(), isOpenCL);
        // config[4]: the number at that byte.
        for (const TypedLeaf& leaf : leavesOf(atom.variable->type, isOpenCL))
          if (leaf.type && leaf.offset < bytes.size())
            addSymbols(launch, atom.variable->name + "[" + std::to_string(leaf.offset) + "]", *leaf.type,
                       bytes.data() + leaf.offset, bytes.size() - leaf.offset, isOpenCL);
      }
    }
  }

  const RunLine& line;
  size_t index;
  Numbers numbers;
  WatchedRun out;
  sim::Program program;
  std::map<const ir::Expr*, affine::AccessId> byExpr;
  std::map<const ir::Call*, std::vector<affine::AccessId>> byCall;
  std::map<uint32_t, std::vector<affine::AccessId>> accessesAt;             // by pc
  std::map<uint32_t, std::pair<affine::AccessId, sim::AccessKind>> kindAt;  // by pc
  std::map<std::tuple<affine::AccessId, sim::AccessKind, int32_t>, Instruction> made;
  affine::ById<affine::ArrayId, const sim::Buffer*> bufferOf;
};

}  // namespace

WatchedRun watchedRun(const ir::KernelPtr& kernel, const RunLine& line, size_t index,
                      const target::Target& target) {
  return Watch(kernel, line, index).run(target);
}

}  // namespace hone::test
