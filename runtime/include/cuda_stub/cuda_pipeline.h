// Stands in for the toolkit's header of this name.
#pragma once
#pragma GCC system_header
#include "cuda_pipeline_primitives.h"

namespace nvcuda {
namespace experimental {
class pipeline {
 public:
  __hone_device pipeline() : batch(0) {}
  __hone_device size_t commit() {
    __pipeline_commit();
    return batch++;
  }
  __hone_device void commit_and_wait() {
    __pipeline_commit();
    __pipeline_wait_prior(0);
    ++batch;
  }
  __hone_device void wait(size_t) { __pipeline_wait_prior(0); }
  template <unsigned n> __hone_device void wait_prior() { __pipeline_wait_prior(n); }
  template <class T> __hone_device void copy_async(T& to, const T& from) { __pipeline_memcpy_async(&to, &from, sizeof(T)); }

 private:
  size_t batch;
};
template <class T> __hone_device inline void memcpy_async(T& to, const T& from, pipeline& pipe) { pipe.copy_async(to, from); }
}  // namespace experimental
}  // namespace nvcuda
