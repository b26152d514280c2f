// Each function of cub is called twice: first without storage, to be told how much it needs.
#pragma once
#pragma GCC system_header
#include "../../../hone_cuda/parallel/each.h"
#include "../thread/thread_operators.cuh"

namespace cub {

// True: the caller only asked. hone's algorithms take their own memory, so one byte will do.
inline bool asksForStorage(const void* storage, size_t& bytes) {
  if (storage) return false;
  bytes = 1;
  return true;
}

template <class T> struct DoubleBuffer {
  T* d_buffers[2];
  int selector;
  DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
  DoubleBuffer(T* current, T* other) : d_buffers{current, other}, selector(0) {}
  T* Current() { return d_buffers[selector]; }
  T* Alternate() { return d_buffers[selector ^ 1]; }
};

}  // namespace cub
