// Code in the manner of PyTorch's extensions: macros in macros repeat a lambda for each type, and check by macros that make text of their own arguments.
// RUN: %hone opt %s --recipe 'block(x=64)' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %unmarked %t.cu | FileCheck %s
// RUN: %clang_cuda_ptx %t.cu
// RUN: cp %t.cu %t.2.cu && %hone revert %t.2.cu && cmp %t.2.cu %s
// REMARK-DAG: kernel `scale_kernel<float>`: rewritten beside the original; 2 of 2 launches now call scale_kernel_launch<float>
// REMARK-DAG: kernel `scale_kernel<double>`: rewritten beside the original; 2 of 2 launches now call scale_kernel_launch<double>
// REMARK: dispatch.cu: 2 of 2 kernels rewritten, 2 of 2 launches changed
namespace at {
enum class ScalarType { Float, Double, Half };
const char* toString(ScalarType type);
struct Tensor {
  void* data;
  ScalarType type;
  ScalarType scalar_type() const { return type; }
  long numel() const;
  template <typename T>
  T* data_ptr() const;
  template <typename T>
  T* unchecked() const {
    return static_cast<T*>(data);
  }
};
}  // namespace at
template <at::ScalarType>
struct CppType;
template <>
struct CppType<at::ScalarType::Float> {
  using type = float;
};
template <>
struct CppType<at::ScalarType::Double> {
  using type = double;
};
void fail(const char* condition, const char* file, int line, const char* more);

#define TORCH_CHECK(cond, ...) \
  if (!(cond)) fail("Expected " #cond " to be true", __FILE__, __LINE__, ##__VA_ARGS__)
#define AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, HINT, ...) \
  case enum_type: {                                           \
    using HINT = typename CppType<enum_type>::type;           \
    return __VA_ARGS__();                                     \
  }
#define AT_DISPATCH_CASE(enum_type, ...) AT_PRIVATE_CASE_TYPE_USING_HINT(enum_type, scalar_t, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                \
  AT_DISPATCH_CASE(at::ScalarType::Double, __VA_ARGS__)     \
  AT_DISPATCH_CASE(at::ScalarType::Float, __VA_ARGS__)
#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)                          \
  [&] {                                                              \
    const auto& the_type = TYPE;                                     \
    switch (the_type) {                                              \
      __VA_ARGS__                                                    \
      default: TORCH_CHECK(false && #NAME, at::toString(the_type));  \
    }                                                                \
  }()
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...) \
  AT_DISPATCH_SWITCH(TYPE, NAME, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))

template <typename scalar_t>
__global__ void scale_kernel(const scalar_t* __restrict__ in, scalar_t* __restrict__ out, long size) {
  const long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < size) out[i] = in[i] * 2;
}

void scale(const at::Tensor& in, const at::Tensor& out, long size, cudaStream_t stream) {
  const int threads = 256;
  const dim3 blocks((size + threads - 1) / threads);
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "scale", ([&] {
    // CHECK: scale_kernel_launch<scalar_t>(blocks, threads, 0, stream, in.unchecked<scalar_t>(), out.unchecked<scalar_t>(), size);
    scale_kernel<scalar_t><<<blocks, threads, 0, stream>>>(in.unchecked<scalar_t>(), out.unchecked<scalar_t>(), size);
  }));
  // What functions do that are not in sight may matter to the configuration.
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "scale", [&] {
    // CHECK: [&](cudaStream_t stream_2) {
    // CHECK-NEXT: scale_kernel_launch<scalar_t>(blocks, threads, 0, stream_2, in.data_ptr<scalar_t>(),
    // CHECK-NEXT: out.data_ptr<scalar_t>(), in.numel());
    // CHECK-NEXT: }(stream);
    scale_kernel<scalar_t><<<blocks, threads, 0, stream>>>(in.data_ptr<scalar_t>(),
                                                           out.data_ptr<scalar_t>(), in.numel());
  });
}
