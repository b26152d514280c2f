// recipe: vectorize
// fft_step, optimized by hone for h200.
// recipe: vectorize
// Wide accesses: 2 elements of in loaded in one access, 2 elements of out stored in one access.
namespace fft_step_hone {
__global__ void kernel(const float* in, float* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    int k = i % p;
    float angle = -3.14159265f * k / p;
    float c = cosf(angle);
    float s = sinf(angle);
    // 2 elements of in in one access.
    const float2 in_pair = *(const float2*)(in + 2 * i);
    float re = in_pair.x;
    float im = in_pair.y;
    const float2 in_pair2 = *(const float2*)(in + 2 * (i + n / 2));
    float otherRe = in_pair2.x;
    float otherIm = in_pair2.y;
    float turnedRe = c * otherRe - s * otherIm;
    float turnedIm = c * otherIm + s * otherRe;
    int j = 2 * i - k;
    // 2 elements of out in one access.
    *(float2*)(out + 2 * j) = make_float2(re + turnedRe, im + turnedIm);
    *(float2*)(out + 2 * (j + p)) = make_float2(re - turnedRe, im - turnedIm);
  }
}
}  // namespace fft_step_hone

// Stands for a launch of fft_step: same grid, block and arguments.
static inline void fft_step_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* in,
                                   float* out, int n, int p) {
  // Where this does not hold, the original runs.
  const bool aligned = (size_t)in % 8 == 0 && (size_t)out % 8 == 0;
  if (aligned) {
    fft_step_hone::kernel<<<grid, block, 0, stream>>>(in, out, n, p);
  } else {
    fft_step<<<grid, block, shared, stream>>>(in, out, n, p);
  }
}

    fft_step_launch((n / 2 + 127) / 128, 128, 0, 0, in, out, n, p);
