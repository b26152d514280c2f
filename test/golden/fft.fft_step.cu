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
    const float angle = -3.14159265f * low / p;
    const float c = cosf(angle);
    const float s = sinf(angle);
    // 2 elements of in in one access.
    const float2 in_pair = *(const float2*)(in + 2 * group);
    const float re = in_pair.x;
    const float im = in_pair.y;
    const float2 in_pair8 = *(const float2*)(in + 2 * (group + n / 2));
    const float otherRe = in_pair8.x;
    const float otherIm = in_pair8.y;
    const float turnedRe = c * otherRe - s * otherIm;
    const float turnedIm = c * otherIm + s * otherRe;
    const float out_1_0 = re + turnedRe;
    const float out_1_1 = im + turnedIm;
    const float out_1_2 = re - turnedRe;
    const float out_1_3 = im - turnedIm;
    const int i = group + groups;
    const float2 in_pair2 = *(const float2*)(in + 2 * i);
    const float re2 = in_pair2.x;
    const float im2 = in_pair2.y;
    const float2 in_pair3 = *(const float2*)(in + 2 * (i + n / 2));
    const float otherRe2 = in_pair3.x;
    const float otherIm2 = in_pair3.y;
    const float turnedRe2 = c * otherRe2 - s * otherIm2;
    const float turnedIm2 = c * otherIm2 + s * otherRe2;
    const float out_1_4 = re2 + turnedRe2;
    const float out_1_5 = im2 + turnedIm2;
    const float out_1_6 = re2 - turnedRe2;
    const float out_1_7 = im2 - turnedIm2;
    const int i2 = group + 2 * groups;
    const float2 in_pair4 = *(const float2*)(in + 2 * i2);
    const float re3 = in_pair4.x;
    const float im3 = in_pair4.y;
    const float2 in_pair5 = *(const float2*)(in + 2 * (i2 + n / 2));
    const float otherRe3 = in_pair5.x;
    const float otherIm3 = in_pair5.y;
    const float turnedRe3 = c * otherRe3 - s * otherIm3;
    const float turnedIm3 = c * otherIm3 + s * otherRe3;
    const float out_1_8 = re3 + turnedRe3;
    const float out_1_9 = im3 + turnedIm3;
    const float out_1_10 = re3 - turnedRe3;
    const float out_1_11 = im3 - turnedIm3;
    const int i3 = group + 3 * groups;
    const float2 in_pair6 = *(const float2*)(in + 2 * i3);
    const float re4 = in_pair6.x;
    const float im4 = in_pair6.y;
    const float2 in_pair7 = *(const float2*)(in + 2 * (i3 + n / 2));
    const float otherRe4 = in_pair7.x;
    const float otherIm4 = in_pair7.y;
    const float turnedRe4 = c * otherRe4 - s * otherIm4;
    const float turnedIm4 = c * otherIm4 + s * otherRe4;
    const float out_1_12 = re4 + turnedRe4;
    const float out_1_13 = im4 + turnedIm4;
    const float out_1_14 = re4 - turnedRe4;
    const float out_1_15 = im4 - turnedIm4;
    // Step 2 of 3.
    const int p2 = 2 * p;
    const float angle2 = -3.14159265f * low / p2;
    const float c2 = cosf(angle2);
    const float s2 = sinf(angle2);
    const float turnedRe5 = c2 * out_1_8 - s2 * out_1_9;
    const float turnedIm5 = c2 * out_1_9 + s2 * out_1_8;
    const float in_2_0 = out_1_0 + turnedRe5;
    const float in_2_1 = out_1_1 + turnedIm5;
    const float in_2_2 = out_1_0 - turnedRe5;
    const float in_2_3 = out_1_1 - turnedIm5;
    const int k = low + p;
    const float angle3 = -3.14159265f * k / p2;
    const float c3 = cosf(angle3);
    const float s3 = sinf(angle3);
    const float turnedRe6 = c3 * out_1_10 - s3 * out_1_11;
    const float turnedIm6 = c3 * out_1_11 + s3 * out_1_10;
    const float in_2_4 = out_1_2 + turnedRe6;
    const float in_2_5 = out_1_3 + turnedIm6;
    const float in_2_6 = out_1_2 - turnedRe6;
    const float in_2_7 = out_1_3 - turnedIm6;
    const float turnedRe7 = c2 * out_1_12 - s2 * out_1_13;
    const float turnedIm7 = c2 * out_1_13 + s2 * out_1_12;
    const float in_2_8 = out_1_4 + turnedRe7;
    const float in_2_9 = out_1_5 + turnedIm7;
    const float in_2_10 = out_1_4 - turnedRe7;
    const float in_2_11 = out_1_5 - turnedIm7;
    const float turnedRe8 = c3 * out_1_14 - s3 * out_1_15;
    const float turnedIm8 = c3 * out_1_15 + s3 * out_1_14;
    const float in_2_12 = out_1_6 + turnedRe8;
    const float in_2_13 = out_1_7 + turnedIm8;
    const float in_2_14 = out_1_6 - turnedRe8;
    const float in_2_15 = out_1_7 - turnedIm8;
    // Step 3 of 3.
    const int p3 = 4 * p;
    const float angle4 = -3.14159265f * low / p3;
    const float c4 = cosf(angle4);
    const float s4 = sinf(angle4);
    const float turnedRe9 = c4 * in_2_8 - s4 * in_2_9;
    const float turnedIm9 = c4 * in_2_9 + s4 * in_2_8;
    const int j9 = 8 * group - 7 * low;
    // 2 elements of out in one access.
    *(float2*)(out + 2 * j9) = make_float2(in_2_0 + turnedRe9, in_2_1 + turnedIm9);
    *(float2*)(out + 2 * (j9 + p3)) = make_float2(in_2_0 - turnedRe9, in_2_1 - turnedIm9);
    const float angle5 = -3.14159265f * k / p3;
    const float c5 = cosf(angle5);
    const float s5 = sinf(angle5);
    const float turnedRe10 = c5 * in_2_12 - s5 * in_2_13;
    const float turnedIm10 = c5 * in_2_13 + s5 * in_2_12;
    const int j10 = 8 * group - 7 * low + p;
    *(float2*)(out + 2 * j10) = make_float2(in_2_4 + turnedRe10, in_2_5 + turnedIm10);
    *(float2*)(out + 2 * (j10 + p3)) = make_float2(in_2_4 - turnedRe10, in_2_5 - turnedIm10);
    const int k2 = low + 2 * p;
    const float angle6 = -3.14159265f * k2 / p3;
    const float c6 = cosf(angle6);
    const float s6 = sinf(angle6);
    const float turnedRe11 = c6 * in_2_10 - s6 * in_2_11;
    const float turnedIm11 = c6 * in_2_11 + s6 * in_2_10;
    const int j11 = 8 * group - 7 * low + 2 * p;
    *(float2*)(out + 2 * j11) = make_float2(in_2_2 + turnedRe11, in_2_3 + turnedIm11);
    *(float2*)(out + 2 * (j11 + p3)) = make_float2(in_2_2 - turnedRe11, in_2_3 - turnedIm11);
    const int k3 = low + 3 * p;
    const float angle7 = -3.14159265f * k3 / p3;
    const float c7 = cosf(angle7);
    const float s7 = sinf(angle7);
    const float turnedRe12 = c7 * in_2_14 - s7 * in_2_15;
    const float turnedIm12 = c7 * in_2_15 + s7 * in_2_14;
    const int j12 = 8 * group - 7 * low + 3 * p;
    *(float2*)(out + 2 * j12) = make_float2(in_2_6 + turnedRe12, in_2_7 + turnedIm12);
    *(float2*)(out + 2 * (j12 + p3)) = make_float2(in_2_6 - turnedRe12, in_2_7 - turnedIm12);
  }
}

// Each thread does 3 steps at once, the work of 4, 4 and 4 threads of them; what they hand on stays in
// registers.
__global__ void fft_step_joined_2(const float* in, float* out, int n, int p, int groups) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group < groups) {
    const int low = group % p;
    // Step 1 of 3.
    const float angle = -3.14159265f * low / p;
    const float c = cosf(angle);
    const float s = sinf(angle);
    const float re = in[2 * group];
    const float im = in[2 * group + 1];
    const float otherRe = in[2 * (group + n / 2)];
    const float otherIm = in[2 * (group + n / 2) + 1];
    const float turnedRe = c * otherRe - s * otherIm;
    const float turnedIm = c * otherIm + s * otherRe;
    const float out_1_0 = re + turnedRe;
    const float out_1_1 = im + turnedIm;
    const float out_1_2 = re - turnedRe;
    const float out_1_3 = im - turnedIm;
    const int i = group + groups;
    const float re2 = in[2 * i];
    const float im2 = in[2 * i + 1];
    const float otherRe2 = in[2 * (i + n / 2)];
    const float otherIm2 = in[2 * (i + n / 2) + 1];
    const float turnedRe2 = c * otherRe2 - s * otherIm2;
    const float turnedIm2 = c * otherIm2 + s * otherRe2;
    const float out_1_4 = re2 + turnedRe2;
    const float out_1_5 = im2 + turnedIm2;
    const float out_1_6 = re2 - turnedRe2;
    const float out_1_7 = im2 - turnedIm2;
    const int i2 = group + 2 * groups;
    const float re3 = in[2 * i2];
    const float im3 = in[2 * i2 + 1];
    const float otherRe3 = in[2 * (i2 + n / 2)];
    const float otherIm3 = in[2 * (i2 + n / 2) + 1];
    const float turnedRe3 = c * otherRe3 - s * otherIm3;
    const float turnedIm3 = c * otherIm3 + s * otherRe3;
    const float out_1_8 = re3 + turnedRe3;
    const float out_1_9 = im3 + turnedIm3;
    const float out_1_10 = re3 - turnedRe3;
    const float out_1_11 = im3 - turnedIm3;
    const int i3 = group + 3 * groups;
    const float re4 = in[2 * i3];
    const float im4 = in[2 * i3 + 1];
    const float otherRe4 = in[2 * (i3 + n / 2)];
    const float otherIm4 = in[2 * (i3 + n / 2) + 1];
    const float turnedRe4 = c * otherRe4 - s * otherIm4;
    const float turnedIm4 = c * otherIm4 + s * otherRe4;
    const float out_1_12 = re4 + turnedRe4;
    const float out_1_13 = im4 + turnedIm4;
    const float out_1_14 = re4 - turnedRe4;
    const float out_1_15 = im4 - turnedIm4;
    // Step 2 of 3.
    const int p2 = 2 * p;
    const float angle2 = -3.14159265f * low / p2;
    const float c2 = cosf(angle2);
    const float s2 = sinf(angle2);
    const float turnedRe5 = c2 * out_1_8 - s2 * out_1_9;
    const float turnedIm5 = c2 * out_1_9 + s2 * out_1_8;
    const float in_2_0 = out_1_0 + turnedRe5;
    const float in_2_1 = out_1_1 + turnedIm5;
    const float in_2_2 = out_1_0 - turnedRe5;
    const float in_2_3 = out_1_1 - turnedIm5;
    const int k = low + p;
    const float angle3 = -3.14159265f * k / p2;
    const float c3 = cosf(angle3);
    const float s3 = sinf(angle3);
    const float turnedRe6 = c3 * out_1_10 - s3 * out_1_11;
    const float turnedIm6 = c3 * out_1_11 + s3 * out_1_10;
    const float in_2_4 = out_1_2 + turnedRe6;
    const float in_2_5 = out_1_3 + turnedIm6;
    const float in_2_6 = out_1_2 - turnedRe6;
    const float in_2_7 = out_1_3 - turnedIm6;
    const float turnedRe7 = c2 * out_1_12 - s2 * out_1_13;
    const float turnedIm7 = c2 * out_1_13 + s2 * out_1_12;
    const float in_2_8 = out_1_4 + turnedRe7;
    const float in_2_9 = out_1_5 + turnedIm7;
    const float in_2_10 = out_1_4 - turnedRe7;
    const float in_2_11 = out_1_5 - turnedIm7;
    const float turnedRe8 = c3 * out_1_14 - s3 * out_1_15;
    const float turnedIm8 = c3 * out_1_15 + s3 * out_1_14;
    const float in_2_12 = out_1_6 + turnedRe8;
    const float in_2_13 = out_1_7 + turnedIm8;
    const float in_2_14 = out_1_6 - turnedRe8;
    const float in_2_15 = out_1_7 - turnedIm8;
    // Step 3 of 3.
    const int p3 = 4 * p;
    const float angle4 = -3.14159265f * low / p3;
    const float c4 = cosf(angle4);
    const float s4 = sinf(angle4);
    const float turnedRe9 = c4 * in_2_8 - s4 * in_2_9;
    const float turnedIm9 = c4 * in_2_9 + s4 * in_2_8;
    const int j9 = 8 * group - 7 * low;
    out[2 * j9] = in_2_0 + turnedRe9;
    out[2 * j9 + 1] = in_2_1 + turnedIm9;
    out[2 * (j9 + p3)] = in_2_0 - turnedRe9;
    out[2 * (j9 + p3) + 1] = in_2_1 - turnedIm9;
    const float angle5 = -3.14159265f * k / p3;
    const float c5 = cosf(angle5);
    const float s5 = sinf(angle5);
    const float turnedRe10 = c5 * in_2_12 - s5 * in_2_13;
    const float turnedIm10 = c5 * in_2_13 + s5 * in_2_12;
    const int j10 = 8 * group - 7 * low + p;
    out[2 * j10] = in_2_4 + turnedRe10;
    out[2 * j10 + 1] = in_2_5 + turnedIm10;
    out[2 * (j10 + p3)] = in_2_4 - turnedRe10;
    out[2 * (j10 + p3) + 1] = in_2_5 - turnedIm10;
    const int k2 = low + 2 * p;
    const float angle6 = -3.14159265f * k2 / p3;
    const float c6 = cosf(angle6);
    const float s6 = sinf(angle6);
    const float turnedRe11 = c6 * in_2_10 - s6 * in_2_11;
    const float turnedIm11 = c6 * in_2_11 + s6 * in_2_10;
    const int j11 = 8 * group - 7 * low + 2 * p;
    out[2 * j11] = in_2_2 + turnedRe11;
    out[2 * j11 + 1] = in_2_3 + turnedIm11;
    out[2 * (j11 + p3)] = in_2_2 - turnedRe11;
    out[2 * (j11 + p3) + 1] = in_2_3 - turnedIm11;
    const int k3 = low + 3 * p;
    const float angle7 = -3.14159265f * k3 / p3;
    const float c7 = cosf(angle7);
    const float s7 = sinf(angle7);
    const float turnedRe12 = c7 * in_2_14 - s7 * in_2_15;
    const float turnedIm12 = c7 * in_2_15 + s7 * in_2_14;
    const int j12 = 8 * group - 7 * low + 3 * p;
    out[2 * j12] = in_2_6 + turnedRe12;
    out[2 * j12 + 1] = in_2_7 + turnedIm12;
    out[2 * (j12 + p3)] = in_2_6 - turnedRe12;
    out[2 * (j12 + p3) + 1] = in_2_7 - turnedIm12;
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
