// Scopes and orders that cuda/atomic and cuda/barrier share.
#pragma once
#pragma GCC system_header

namespace cuda {
enum thread_scope {
  thread_scope_system = __NV_THREAD_SCOPE_SYSTEM,
  thread_scope_device = __NV_THREAD_SCOPE_DEVICE,
  thread_scope_block = __NV_THREAD_SCOPE_BLOCK,
  thread_scope_thread = __NV_THREAD_SCOPE_THREAD
};
namespace std {
enum memory_order {
  memory_order_relaxed = 0,
  memory_order_consume = 1,
  memory_order_acquire = 2,
  memory_order_release = 3,
  memory_order_acq_rel = 4,
  memory_order_seq_cst = 5
};
}  // namespace std
using std::memory_order;
using std::memory_order_relaxed;
using std::memory_order_consume;
using std::memory_order_acquire;
using std::memory_order_release;
using std::memory_order_acq_rel;
using std::memory_order_seq_cst;
}  // namespace cuda
