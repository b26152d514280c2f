#include "sim/check/ShadowState.h"

namespace hone::sim {
namespace {

// The variable whose range holds the offset; of a dynamic array, the last that begins at or before it.
template <class Variables>
int variableAt(const Variables& variables, uint64_t offset) {
  int open = -1;
  for (size_t i = 0; i < variables.size(); ++i) {
    if (offset < variables[i].offset) continue;
    if (offset < uint64_t(variables[i].offset) + variables[i].size) return int(i);
    if (variables[i].size == 0 && (open < 0 || variables[i].offset >= variables[size_t(open)].offset))
      open = int(i);
  }
  return open;
}

// Those of frames lie elsewhere in each call.
int localAt(const Program& program, uint64_t offset) {
  const bool isInFrame = !program.subroutines.empty() && offset >= program.stackBase;
  const int i = isInFrame ? -1 : variableAt(program.locals, offset);
  return i >= 0 && program.locals[size_t(i)].inFrame ? -1 : i;
}

template <class Variable>
void fill(Findings::Where& where, const Variable& v, uint64_t offset) {
  uint32_t element = v.elementBytes ? v.elementBytes : 1;
  where.array = v.name;
  where.index = int64_t((offset - v.offset) / element);
  if (v.size) where.length = v.size / element;
}

}  // namespace

uint64_t arrayIdentity(const Shadow::State& shadow, const WarpAccess& access, unsigned lane,
                       uint64_t address) {
  if (access.space == MemorySpace::Global) return access.buffer[lane]->base;
  int i = access.space == MemorySpace::Shared ? variableAt(shadow.sharedVariables, address)
                                              : localAt(shadow.program, address);
  return uint64_t(int64_t(i));
}

ArrayElement describe(const Shadow::State& shadow, const WarpAccess& access, unsigned lane,
                      uint64_t address) {
  ArrayElement result;
  result.identity = arrayIdentity(shadow, access, lane, address);
  Findings::Where& where = result.where;
  where.space = access.space;
  if (access.space == MemorySpace::Global) {
    const Buffer& b = *access.buffer[lane];
    int64_t element = b.elementBytes ? b.elementBytes : 1;
    int64_t offset = int64_t(address - b.base) - int64_t(b.origin);
    where.array = b.name;
    where.index = offset >= 0 ? offset / element : -((-offset + element - 1) / element);
    if (!b.elastic) where.length = int64_t(b.size) / element;
    where.isInBytes = b.isUntyped;
  } else if (access.space == MemorySpace::Shared) {
    if (int i = variableAt(shadow.sharedVariables, address); i >= 0)
      fill(where, shadow.sharedVariables[size_t(i)], address);
  } else if (access.space == MemorySpace::Local) {
    if (int i = localAt(shadow.program, address); i >= 0)
      fill(where, shadow.program.locals[size_t(i)], address);
  }
  return result;
}

}  // namespace hone::sim
