// What threads of a block do together: barriers, shuffles, votes, atomics, accesses past caches, asynchronous
// copies, cooperative groups. The runner switches between the threads at the functions declared here.
#pragma once

#include "judge_math.h"

extern "C++" {
extern uint3 threadIdx, blockIdx;
extern dim3 blockDim, gridDim;
}
constexpr int warpSize = 32;

namespace judge {
// What stands before it comes before what stands behind it, for other blocks too.
void ordered();

enum class BarrierVote { None, Count, And, Or };
// All threads of the block; the result is that of the vote. `line` tells barriers apart.
int barrier(int line, BarrierVote vote = BarrierVote::None, int predicate = 0);
void gridBarrier();

// All lanes of the mask leave a value of up to 16 bytes; `got` are the values of 32 lanes. A lane that took
// no part has left something that no one expects.
struct Lanes {
  alignas(16) unsigned char value[32][16];
  unsigned present;
};
const Lanes& exchange(const char* what, unsigned mask, const void* value, size_t bytes);
unsigned laneId();
unsigned activeLanes();
void* dynamicShared();
void copyLater(void* to, const void* from, size_t bytes, size_t zeroBytes);
void commitCopies();
void waitCopies(size_t groupsLeft);

template <class T>
inline T laneValue(const Lanes& lanes, unsigned lane) {
  T out;
  __builtin_memcpy(&out, lanes.value[lane & 31], sizeof out);
  return out;
}
template <class T>
inline T shuffle(const char* what, unsigned mask, T v, int from, int width, int kind) {
  static_assert(sizeof(T) <= 16);
  const Lanes& lanes = exchange(what, mask, &v, sizeof v);
  const int lane = int(laneId()), low = lane & ~(width - 1), high = low + width - 1;
  int source = lane;
  if (kind == 0) source = low | (from & (width - 1));
  if (kind == 1) source = lane - from < low ? lane : lane - from;
  if (kind == 2) source = lane + from > high ? lane : lane + from;
  if (kind == 3) source = (lane ^ from) > high ? lane : lane ^ from;
  return laneValue<T>(lanes, unsigned(source));
}
template <class T, class F>
inline T reduceLanes(const char* what, unsigned mask, T v, F f) {
  const Lanes& lanes = exchange(what, mask, &v, sizeof v);
  bool any = false;
  T out{};
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes.present >> lane & 1)
      out = any ? f(out, laneValue<T>(lanes, lane)) : laneValue<T>(lanes, lane), any = true;
  return out;
}
}  // namespace judge

#define __syncthreads() judge::barrier(__LINE__)
#define __syncthreads_count(p) judge::barrier(__LINE__, judge::BarrierVote::Count, (p))
#define __syncthreads_and(p) judge::barrier(__LINE__, judge::BarrierVote::And, (p))
#define __syncthreads_or(p) judge::barrier(__LINE__, judge::BarrierVote::Or, (p))
static inline void __threadfence() { judge::ordered(); }
static inline void __threadfence_block() {}
static inline void __threadfence_system() { judge::ordered(); }
static inline void __syncwarp(unsigned mask = 0xffffffffu) {
  judge::exchange("__syncwarp", mask, nullptr, 0);
}
static inline unsigned __activemask() { return judge::activeLanes(); }

template <class T>
inline T __shfl_sync(unsigned mask, T v, int lane, int width = 32) {
  return judge::shuffle("__shfl_sync", mask, v, lane, width, 0);
}
template <class T>
inline T __shfl_up_sync(unsigned mask, T v, unsigned by, int width = 32) {
  return judge::shuffle("__shfl_up_sync", mask, v, int(by), width, 1);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T v, unsigned by, int width = 32) {
  return judge::shuffle("__shfl_down_sync", mask, v, int(by), width, 2);
}
template <class T>
inline T __shfl_xor_sync(unsigned mask, T v, int by, int width = 32) {
  return judge::shuffle("__shfl_xor_sync", mask, v, by, width, 3);
}
static inline unsigned __ballot_sync(unsigned mask, int predicate) {
  const int v = predicate != 0;
  const judge::Lanes& lanes = judge::exchange("__ballot_sync", mask, &v, sizeof v);
  unsigned out = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes.present >> lane & 1) out |= unsigned(judge::laneValue<int>(lanes, lane)) << lane;
  return out;
}
static inline int __any_sync(unsigned mask, int p) {
  return judge::reduceLanes("__any_sync", mask, int(p != 0), [](int a, int b) { return a | b; });
}
static inline int __all_sync(unsigned mask, int p) {
  return judge::reduceLanes("__all_sync", mask, int(p != 0), [](int a, int b) { return a & b; });
}
template <class T>
inline unsigned __match_any_sync(unsigned mask, T v) {
  const judge::Lanes& lanes = judge::exchange("__match_any_sync", mask, &v, sizeof v);
  unsigned out = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    if (lanes.present >> lane & 1 && judge::laneValue<T>(lanes, lane) == v) out |= 1u << lane;
  return out;
}
#define JUDGE_REDUCE(name, op)                                                                       \
  template <class T>                                                                                 \
  inline T __reduce_##name##_sync(unsigned mask, T v) {                                              \
    return judge::reduceLanes("__reduce_" #name "_sync", mask, v, [](T a, T b) -> T { return op; }); \
  }
JUDGE_REDUCE(add, a + b)
JUDGE_REDUCE(min, b < a ? b : a)
JUDGE_REDUCE(max, a < b ? b : a)
JUDGE_REDUCE(and, a& b)
JUDGE_REDUCE(or, a | b)
JUDGE_REDUCE(xor, a ^ b)
#undef JUDGE_REDUCE

#define JUDGE_ATOMIC(name, expr)                  \
  template <class T, class U>                     \
  inline T atomic##name(T* p, U given) {          \
    judge::ordered();                             \
    const T v = T(given), old = *p;               \
    *p = T(expr);                                 \
    return old;                                   \
  }                                               \
  template <class T, class U>                     \
  inline T atomic##name##_block(T* p, U given) {  \
    return atomic##name(p, given);                \
  }                                               \
  template <class T, class U>                     \
  inline T atomic##name##_system(T* p, U given) { \
    return atomic##name(p, given);                \
  }
JUDGE_ATOMIC(Add, old + v)
JUDGE_ATOMIC(Sub, old - v)
JUDGE_ATOMIC(Exch, v)
JUDGE_ATOMIC(Min, v < old ? v : old)
JUDGE_ATOMIC(Max, old < v ? v : old)
JUDGE_ATOMIC(And, old& v)
JUDGE_ATOMIC(Or, old | v)
JUDGE_ATOMIC(Xor, old ^ v)
JUDGE_ATOMIC(Inc, old >= v ? 0 : old + 1)
JUDGE_ATOMIC(Dec, old == 0 || old > v ? v : old - 1)
#undef JUDGE_ATOMIC
template <class T, class U, class V>
inline T atomicCAS(T* p, U expected, V v) {
  judge::ordered();
  const T old = *p;
  if (old == T(expected)) *p = T(v);
  return old;
}

#define JUDGE_LOAD(name)          \
  template <class T>              \
  inline T __##name(const T* p) { \
    return *p;                    \
  }
JUDGE_LOAD(ldg)
JUDGE_LOAD(ldcg)
JUDGE_LOAD(ldca)
JUDGE_LOAD(ldcs)
JUDGE_LOAD(ldlu)
JUDGE_LOAD(ldcv)
#undef JUDGE_LOAD
#define JUDGE_STORE(name)           \
  template <class T, class U>       \
  inline void __##name(T* p, U v) { \
    *p = T(v);                      \
  }
JUDGE_STORE(stwb)
JUDGE_STORE(stcg)
JUDGE_STORE(stcs)
JUDGE_STORE(stwt)
#undef JUDGE_STORE

static inline void __pipeline_memcpy_async(void* to, const void* from, size_t bytes, size_t zeroBytes = 0) {
  judge::copyLater(to, from, bytes, zeroBytes);
}
static inline void __pipeline_commit() { judge::commitCopies(); }
static inline void __pipeline_wait_prior(size_t left) { judge::waitCopies(left); }

namespace cooperative_groups {
struct thread_block {
  void sync() const { judge::barrier(-1); }
  unsigned thread_rank() const { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }
  unsigned num_threads() const { return size(); }
  dim3 group_index() const { return blockIdx; }
  dim3 thread_index() const { return threadIdx; }
  dim3 group_dim() const { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }
struct grid_group {
  void sync() const { judge::gridBarrier(); }
  bool is_valid() const { return true; }
  unsigned long long block_rank() const {
    return blockIdx.x +
           (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
  }
  unsigned long long thread_rank() const {
    return block_rank() * this_thread_block().size() + this_thread_block().thread_rank();
  }
  unsigned long long size() const {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z * this_thread_block().size();
  }
  unsigned long long num_threads() const { return size(); }
};
inline grid_group this_grid() { return {}; }
template <unsigned N, class Parent = void>
struct thread_block_tile {
  static_assert(N <= 32);
  unsigned thread_rank() const { return judge::laneId() % N; }
  unsigned meta_group_rank() const { return this_thread_block().thread_rank() / N; }
  unsigned meta_group_size() const { return (this_thread_block().size() + N - 1) / N; }
  unsigned size() const { return N; }
  unsigned num_threads() const { return N; }
  unsigned mask() const {
    return (N == 32 ? 0xffffffffu : (1u << (N & 31)) - 1) << (judge::laneId() / N * N);
  }
  void sync() const { __syncwarp(mask()); }
  template <class T>
  T shfl(T v, int lane) const {
    return __shfl_sync(mask(), v, lane, N);
  }
  template <class T>
  T shfl_down(T v, unsigned by) const {
    return __shfl_down_sync(mask(), v, by, N);
  }
  template <class T>
  T shfl_up(T v, unsigned by) const {
    return __shfl_up_sync(mask(), v, by, N);
  }
  template <class T>
  T shfl_xor(T v, int by) const {
    return __shfl_xor_sync(mask(), v, by, N);
  }
  int any(int p) const { return __any_sync(mask(), p); }
  int all(int p) const { return __all_sync(mask(), p); }
  unsigned ballot(int p) const { return __ballot_sync(mask(), p) >> (judge::laneId() / N * N); }
};
template <unsigned N, class Parent>
inline thread_block_tile<N> tiled_partition(const Parent&) {
  return {};
}
template <class Group>
inline void sync(const Group& group) {
  group.sync();
}
template <class T>
struct plus {
  T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class Group, class T, class F>
inline T reduce(const Group& group, T v, F f) {
  return judge::reduceLanes("reduce", group.mask(), v, f);
}
}  // namespace cooperative_groups
static inline void hone_grid_sync() { judge::gridBarrier(); }
