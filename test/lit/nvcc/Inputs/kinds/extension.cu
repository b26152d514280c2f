#include <torch/tensor.h>

template <typename scalar_t>
__global__ void turn_kernel(const scalar_t* in, scalar_t* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

void turn_cuda(at::Tensor in, at::Tensor out, int width) {
  const int height = in.numel() / width;
  AT_DISPATCH_FLOATING_TYPES(in.scalar_type(), "turn", [&] {
    turn_kernel<scalar_t><<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
        in.data_ptr<scalar_t>(), out.data_ptr<scalar_t>(), width, height);
  });
}
