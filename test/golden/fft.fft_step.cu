// recipe: steps(count=3) join-steps vectorize
// fft_step, optimized by hone for h200.
// recipe: steps(count=3) join-steps vectorize
namespace fft_step_hone {
// Each thread does 3 steps at once, the work of 4, 4 and 4 threads of them; what they hand on stays in
// registers. Wide accesses: 2 elements of in loaded in one access, 2 elements of out stored in one access.
__global__ void fft_step_joined(const float* in, float* out, int n, int p, int groups) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group < groups) {
    const int low = group % p;
    // Step 1 of 3.
    float out_1[16];
    const float angle = -3.14159265f * low / p;
    const float c = cosf(angle);
    const float s = sinf(angle);
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      const int i = group + t * groups;
      // 2 elements of in in one access.
      const float2 in_pair = *(const float2*)(in + 2 * i);
      const float re = in_pair.x;
      const float im = in_pair.y;
      const float2 in_pair2 = *(const float2*)(in + 2 * (i + n / 2));
      const float otherRe = in_pair2.x;
      const float otherIm = in_pair2.y;
      const float turnedRe = c * otherRe - s * otherIm;
      const float turnedIm = c * otherIm + s * otherRe;
      out_1[4 * t] = re + turnedRe;
      out_1[4 * t + 1] = im + turnedIm;
      out_1[4 * t + 2] = re - turnedRe;
      out_1[4 * t + 3] = im - turnedIm;
    }
    // Step 2 of 3.
    float in_2[16];
    const int p2 = 2 * p;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int k = low + r * p;
      const float angle2 = -3.14159265f * k / p2;
      const float c2 = cosf(angle2);
      const float s2 = sinf(angle2);
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        const float re = out_1[2 * r + 4 * t];
        const float im = out_1[2 * r + 4 * t + 1];
        const float otherRe = out_1[2 * r + 4 * t + 8];
        const float otherIm = out_1[2 * r + 4 * t + 9];
        const float turnedRe = c2 * otherRe - s2 * otherIm;
        const float turnedIm = c2 * otherIm + s2 * otherRe;
        in_2[2 * r + 8 * t] = re + turnedRe;
        in_2[2 * r + 8 * t + 1] = im + turnedIm;
        in_2[2 * r + 8 * t + 4] = re - turnedRe;
        in_2[2 * r + 8 * t + 5] = im - turnedIm;
      }
    }
    // Step 3 of 3.
    const int p3 = 4 * p;
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      const int k = low + t * p;
      const float angle3 = -3.14159265f * k / p3;
      const float c3 = cosf(angle3);
      const float s3 = sinf(angle3);
      const float re = in_2[2 * t];
      const float im = in_2[2 * t + 1];
      const float otherRe = in_2[2 * t + 8];
      const float otherIm = in_2[2 * t + 9];
      const float turnedRe = c3 * otherRe - s3 * otherIm;
      const float turnedIm = c3 * otherIm + s3 * otherRe;
      const int j = 8 * group - 7 * low + t * p;
      // 2 elements of out in one access.
      *(float2*)(out + 2 * j) = make_float2(re + turnedRe, im + turnedIm);
      *(float2*)(out + 2 * (j + p3)) = make_float2(re - turnedRe, im - turnedIm);
    }
  }
}

// Each thread does 3 steps at once, the work of 4, 4 and 4 threads of them; what they hand on stays in
// registers.
__global__ void fft_step_joined_2(const float* in, float* out, int n, int p, int groups) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group < groups) {
    const int low = group % p;
    // Step 1 of 3.
    float out_1[16];
    const float angle = -3.14159265f * low / p;
    const float c = cosf(angle);
    const float s = sinf(angle);
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      const int i = group + t * groups;
      const float re = in[2 * i];
      const float im = in[2 * i + 1];
      const float otherRe = in[2 * (i + n / 2)];
      const float otherIm = in[2 * (i + n / 2) + 1];
      const float turnedRe = c * otherRe - s * otherIm;
      const float turnedIm = c * otherIm + s * otherRe;
      out_1[4 * t] = re + turnedRe;
      out_1[4 * t + 1] = im + turnedIm;
      out_1[4 * t + 2] = re - turnedRe;
      out_1[4 * t + 3] = im - turnedIm;
    }
    // Step 2 of 3.
    float in_2[16];
    const int p2 = 2 * p;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int k = low + r * p;
      const float angle2 = -3.14159265f * k / p2;
      const float c2 = cosf(angle2);
      const float s2 = sinf(angle2);
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        const float re = out_1[2 * r + 4 * t];
        const float im = out_1[2 * r + 4 * t + 1];
        const float otherRe = out_1[2 * r + 4 * t + 8];
        const float otherIm = out_1[2 * r + 4 * t + 9];
        const float turnedRe = c2 * otherRe - s2 * otherIm;
        const float turnedIm = c2 * otherIm + s2 * otherRe;
        in_2[2 * r + 8 * t] = re + turnedRe;
        in_2[2 * r + 8 * t + 1] = im + turnedIm;
        in_2[2 * r + 8 * t + 4] = re - turnedRe;
        in_2[2 * r + 8 * t + 5] = im - turnedIm;
      }
    }
    // Step 3 of 3.
    const int p3 = 4 * p;
#pragma unroll
    for (int t = 0; t < 4; ++t) {
      const int k = low + t * p;
      const float angle3 = -3.14159265f * k / p3;
      const float c3 = cosf(angle3);
      const float s3 = sinf(angle3);
      const float re = in_2[2 * t];
      const float im = in_2[2 * t + 1];
      const float otherRe = in_2[2 * t + 8];
      const float otherIm = in_2[2 * t + 9];
      const float turnedRe = c3 * otherRe - s3 * otherIm;
      const float turnedIm = c3 * otherIm + s3 * otherRe;
      const int j = 8 * group - 7 * low + t * p;
      out[2 * j] = re + turnedRe;
      out[2 * j + 1] = im + turnedIm;
      out[2 * (j + p3)] = re - turnedRe;
      out[2 * (j + p3) + 1] = im - turnedIm;
    }
  }
}
}  // namespace fft_step_hone

// Stands for a launch of fft_step in a loop: same grid, block and arguments. Does several rounds where they
// are due, and returns p of the last one.
static inline int fft_step_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* in,
                                  float* out, int n, int p) {
  const long long threads_x = (long long)grid.x * block.x;
  // Where one of these does not hold, the original runs.
  const bool covered = n / 2 <= threads_x;
  const bool apart = in + (long long)n * 2 <= out || out + (long long)n * 2 <= in;
  const bool aligned = n % (p > 0 ? (long long)p * 8 : 1) == 0 &&
                       (p * 2 >= n || p * 4 >= n || p * 8 >= n || n % (p > 0 ? (long long)p * 16 : 1) == 0);
  const bool in_range = p * 2 < n && p * 4 < n && p > 0 && n > 0;
  if (covered && apart && aligned && in_range) {
    const bool aligned_2 = (size_t)in % 8 == 0 && (size_t)out % 8 == 0;
    if (aligned_2) {
      const dim3 blocks((n / 8 + block.x - 1) / block.x, grid.y, grid.z);
      fft_step_hone::fft_step_joined<<<blocks, block, 0, stream>>>(in, out, n, p, n / 8);
    } else {
      const dim3 blocks_2((n / 8 + block.x - 1) / block.x, grid.y, grid.z);
      fft_step_hone::fft_step_joined_2<<<blocks_2, block, 0, stream>>>(in, out, n, p, n / 8);
    }
    return p * 4;
  } else {
    fft_step<<<grid, block, shared, stream>>>(in, out, n, p);
  }
  return p;
}

    p = fft_step_launch((n / 2 + 127) / 128, 128, 0, 0, in, out, n, p);
