// recipe: unroll-host-loop(count=5) fuse-launches specialize coalesce-stores(wide=4) vectorize bound-arguments
// fft_step, optimized by hone for h200.
// recipe: unroll-host-loop(count=5) fuse-launches specialize coalesce-stores(wide=4) vectorize
//   bound-arguments
#ifndef HONE_OFF
namespace fft_step_hone {
constexpr int kBlockX = 128;  // threads of a block along x

// Each thread does 5 steps at once, the work of 16, 16, 16, 16 and 16 threads of them; what they hand on
// stays in registers. For launches in which p is 1. Collected in shared memory and written side by side: the
// 64 elements of out that each thread writes. Wide accesses: 2 elements of in loaded in one access, 4
// elements of out stored in one access. Arguments of sine and cosine are said to be small, so that compilers
// leave out the reduction of huge ones.
__global__ __launch_bounds__(kBlockX) void fft_step_joined_p1(const float* in, float* out, int n,
                                                              int groups) {
  __shared__ float out_runs[kBlockX][65];
  const int group = blockIdx.x * kBlockX + threadIdx.x;
  if (group < groups) {
    // Step 1 of 5.
    float out_1[64];
    const float angle = -3.14159265f * 0 / 1;
    __builtin_assume(__builtin_fabsf(angle) < 100000.0f);
    const float c = cosf(angle);
    const float s = sinf(angle);
#pragma unroll
    for (int t = 0; t < 16; ++t) {
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
    // Step 2 of 5.
    float in_2[64];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int k = r;
      const float angle2 = -3.14159265f * k / 2;
      __builtin_assume(__builtin_fabsf(angle2) < 100000.0f);
      const float c2 = cosf(angle2);
      const float s2 = sinf(angle2);
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        const float re = out_1[2 * r + 4 * t];
        const float im = out_1[2 * r + 4 * t + 1];
        const float otherRe = out_1[2 * r + 4 * t + 32];
        const float otherIm = out_1[2 * r + 4 * t + 33];
        const float turnedRe = c2 * otherRe - s2 * otherIm;
        const float turnedIm = c2 * otherIm + s2 * otherRe;
        in_2[2 * r + 8 * t] = re + turnedRe;
        in_2[2 * r + 8 * t + 1] = im + turnedIm;
        in_2[2 * r + 8 * t + 4] = re - turnedRe;
        in_2[2 * r + 8 * t + 5] = im - turnedIm;
      }
    }
    // Step 3 of 5.
    float out_3[64];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int k = r;
      const float angle3 = -3.14159265f * k / 4;
      __builtin_assume(__builtin_fabsf(angle3) < 100000.0f);
      const float c3 = cosf(angle3);
      const float s3 = sinf(angle3);
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        const float re = in_2[2 * r + 8 * t];
        const float im = in_2[2 * r + 8 * t + 1];
        const float otherRe = in_2[2 * r + 8 * t + 32];
        const float otherIm = in_2[2 * r + 8 * t + 33];
        const float turnedRe = c3 * otherRe - s3 * otherIm;
        const float turnedIm = c3 * otherIm + s3 * otherRe;
        out_3[2 * r + 16 * t] = re + turnedRe;
        out_3[2 * r + 16 * t + 1] = im + turnedIm;
        out_3[2 * r + 16 * t + 8] = re - turnedRe;
        out_3[2 * r + 16 * t + 9] = im - turnedIm;
      }
    }
    // Step 4 of 5.
    float in_4[64];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const int k = r;
      const float angle4 = -3.14159265f * k / 8;
      __builtin_assume(__builtin_fabsf(angle4) < 100000.0f);
      const float c4 = cosf(angle4);
      const float s4 = sinf(angle4);
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        const float re = out_3[2 * r + 16 * t];
        const float im = out_3[2 * r + 16 * t + 1];
        const float otherRe = out_3[2 * r + 16 * t + 32];
        const float otherIm = out_3[2 * r + 16 * t + 33];
        const float turnedRe = c4 * otherRe - s4 * otherIm;
        const float turnedIm = c4 * otherIm + s4 * otherRe;
        in_4[2 * r + 32 * t] = re + turnedRe;
        in_4[2 * r + 32 * t + 1] = im + turnedIm;
        in_4[2 * r + 32 * t + 16] = re - turnedRe;
        in_4[2 * r + 32 * t + 17] = im - turnedIm;
      }
    }
    // Step 5 of 5.
#pragma unroll
    for (int t = 0; t < 16; ++t) {
      const int k = t;
      const float angle5 = -3.14159265f * k / 16;
      __builtin_assume(__builtin_fabsf(angle5) < 100000.0f);
      const float c5 = cosf(angle5);
      const float s5 = sinf(angle5);
      const float re = in_4[2 * t];
      const float im = in_4[2 * t + 1];
      const float otherRe = in_4[2 * t + 32];
      const float otherIm = in_4[2 * t + 33];
      const float turnedRe = c5 * otherRe - s5 * otherIm;
      const float turnedIm = c5 * otherIm + s5 * otherRe;
      out_runs[threadIdx.x][t * 2] = re + turnedRe;
      out_runs[threadIdx.x][t * 2 + 1] = im + turnedIm;
      out_runs[threadIdx.x][t * 2 + 32] = re - turnedRe;
      out_runs[threadIdx.x][t * 2 + 33] = im - turnedIm;
    }
  }
  __syncthreads();
  // The runs of all threads of out, side by side.
  for (int at = (int)threadIdx.x * 4; at < 8192; at += 512) {
    if ((int)blockIdx.x * 128 + at / 64 < groups) {
      // Several elements in one access: stores of out.
      float out_part[4];
#pragma unroll
      for (int next = 0; next < 4; ++next) {
        out_part[next] = out_runs[at / 64][at % 64 + next];
      }
      *(float4*)(out + ((int)blockIdx.x * 8192 + at)) =
          make_float4(out_part[0], out_part[1], out_part[2], out_part[3]);
    }
  }
}

// Each thread does 5 steps at once, the work of 16, 16, 16, 16 and 16 threads of them; what they hand on
// stays in registers. For launches in which p is 1. Collected in shared memory and written side by side: the
// 64 elements of out that each thread writes.
__global__ __launch_bounds__(kBlockX) void fft_step_joined_p1_2(const float* in, float* out, int n,
                                                                int groups) {
  __shared__ float out_runs[kBlockX][65];
  const int group = blockIdx.x * kBlockX + threadIdx.x;
  if (group < groups) {
    // Step 1 of 5.
    float out_1[64];
    const float angle = -3.14159265f * 0 / 1;
    const float c = cosf(angle);
    const float s = sinf(angle);
#pragma unroll
    for (int t = 0; t < 16; ++t) {
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
    // Step 2 of 5.
    float in_2[64];
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int k = r;
      const float angle2 = -3.14159265f * k / 2;
      const float c2 = cosf(angle2);
      const float s2 = sinf(angle2);
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        const float re = out_1[2 * r + 4 * t];
        const float im = out_1[2 * r + 4 * t + 1];
        const float otherRe = out_1[2 * r + 4 * t + 32];
        const float otherIm = out_1[2 * r + 4 * t + 33];
        const float turnedRe = c2 * otherRe - s2 * otherIm;
        const float turnedIm = c2 * otherIm + s2 * otherRe;
        in_2[2 * r + 8 * t] = re + turnedRe;
        in_2[2 * r + 8 * t + 1] = im + turnedIm;
        in_2[2 * r + 8 * t + 4] = re - turnedRe;
        in_2[2 * r + 8 * t + 5] = im - turnedIm;
      }
    }
    // Step 3 of 5.
    float out_3[64];
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int k = r;
      const float angle3 = -3.14159265f * k / 4;
      const float c3 = cosf(angle3);
      const float s3 = sinf(angle3);
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        const float re = in_2[2 * r + 8 * t];
        const float im = in_2[2 * r + 8 * t + 1];
        const float otherRe = in_2[2 * r + 8 * t + 32];
        const float otherIm = in_2[2 * r + 8 * t + 33];
        const float turnedRe = c3 * otherRe - s3 * otherIm;
        const float turnedIm = c3 * otherIm + s3 * otherRe;
        out_3[2 * r + 16 * t] = re + turnedRe;
        out_3[2 * r + 16 * t + 1] = im + turnedIm;
        out_3[2 * r + 16 * t + 8] = re - turnedRe;
        out_3[2 * r + 16 * t + 9] = im - turnedIm;
      }
    }
    // Step 4 of 5.
    float in_4[64];
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const int k = r;
      const float angle4 = -3.14159265f * k / 8;
      const float c4 = cosf(angle4);
      const float s4 = sinf(angle4);
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        const float re = out_3[2 * r + 16 * t];
        const float im = out_3[2 * r + 16 * t + 1];
        const float otherRe = out_3[2 * r + 16 * t + 32];
        const float otherIm = out_3[2 * r + 16 * t + 33];
        const float turnedRe = c4 * otherRe - s4 * otherIm;
        const float turnedIm = c4 * otherIm + s4 * otherRe;
        in_4[2 * r + 32 * t] = re + turnedRe;
        in_4[2 * r + 32 * t + 1] = im + turnedIm;
        in_4[2 * r + 32 * t + 16] = re - turnedRe;
        in_4[2 * r + 32 * t + 17] = im - turnedIm;
      }
    }
    // Step 5 of 5.
#pragma unroll
    for (int t = 0; t < 16; ++t) {
      const int k = t;
      const float angle5 = -3.14159265f * k / 16;
      const float c5 = cosf(angle5);
      const float s5 = sinf(angle5);
      const float re = in_4[2 * t];
      const float im = in_4[2 * t + 1];
      const float otherRe = in_4[2 * t + 32];
      const float otherIm = in_4[2 * t + 33];
      const float turnedRe = c5 * otherRe - s5 * otherIm;
      const float turnedIm = c5 * otherIm + s5 * otherRe;
      out_runs[threadIdx.x][t * 2] = re + turnedRe;
      out_runs[threadIdx.x][t * 2 + 1] = im + turnedIm;
      out_runs[threadIdx.x][t * 2 + 32] = re - turnedRe;
      out_runs[threadIdx.x][t * 2 + 33] = im - turnedIm;
    }
  }
  __syncthreads();
  // The runs of all threads of out, side by side.
  for (int at = (int)threadIdx.x * 4; at < 8192; at += 512) {
    if ((int)blockIdx.x * 128 + at / 64 < groups) {
      for (int next = 0; next < 4; ++next) {
        out[(int)blockIdx.x * 8192 + at + next] = out_runs[at / 64][at % 64 + next];
      }
    }
  }
}

// Each thread does 5 steps at once, the work of 16, 16, 16, 16 and 16 threads of them; what they hand on
// stays in registers. Wide accesses: 2 elements of in loaded in one access, 2 elements of out stored in one
// access. Arguments of sine and cosine are said to be small, so that compilers leave out the reduction of
// huge ones.
__global__ void fft_step_joined(const float* in, float* out, int n, int p, int groups) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group < groups) {
    const int low = group % p;
    // Step 1 of 5.
    float out_1[64];
    const float angle = -3.14159265f * low / p;
    __builtin_assume(__builtin_fabsf(angle) < 100000.0f);
    const float c = cosf(angle);
    const float s = sinf(angle);
#pragma unroll
    for (int t = 0; t < 16; ++t) {
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
    // Step 2 of 5.
    float in_2[64];
    const int p2 = 2 * p;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int k = low + r * p;
      const float angle2 = -3.14159265f * k / p2;
      __builtin_assume(__builtin_fabsf(angle2) < 100000.0f);
      const float c2 = cosf(angle2);
      const float s2 = sinf(angle2);
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        const float re = out_1[2 * r + 4 * t];
        const float im = out_1[2 * r + 4 * t + 1];
        const float otherRe = out_1[2 * r + 4 * t + 32];
        const float otherIm = out_1[2 * r + 4 * t + 33];
        const float turnedRe = c2 * otherRe - s2 * otherIm;
        const float turnedIm = c2 * otherIm + s2 * otherRe;
        in_2[2 * r + 8 * t] = re + turnedRe;
        in_2[2 * r + 8 * t + 1] = im + turnedIm;
        in_2[2 * r + 8 * t + 4] = re - turnedRe;
        in_2[2 * r + 8 * t + 5] = im - turnedIm;
      }
    }
    // Step 3 of 5.
    float out_3[64];
    const int p3 = 4 * p;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int k = low + r * p;
      const float angle3 = -3.14159265f * k / p3;
      __builtin_assume(__builtin_fabsf(angle3) < 100000.0f);
      const float c3 = cosf(angle3);
      const float s3 = sinf(angle3);
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        const float re = in_2[2 * r + 8 * t];
        const float im = in_2[2 * r + 8 * t + 1];
        const float otherRe = in_2[2 * r + 8 * t + 32];
        const float otherIm = in_2[2 * r + 8 * t + 33];
        const float turnedRe = c3 * otherRe - s3 * otherIm;
        const float turnedIm = c3 * otherIm + s3 * otherRe;
        out_3[2 * r + 16 * t] = re + turnedRe;
        out_3[2 * r + 16 * t + 1] = im + turnedIm;
        out_3[2 * r + 16 * t + 8] = re - turnedRe;
        out_3[2 * r + 16 * t + 9] = im - turnedIm;
      }
    }
    // Step 4 of 5.
    float in_4[64];
    const int p4 = 8 * p;
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const int k = low + r * p;
      const float angle4 = -3.14159265f * k / p4;
      __builtin_assume(__builtin_fabsf(angle4) < 100000.0f);
      const float c4 = cosf(angle4);
      const float s4 = sinf(angle4);
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        const float re = out_3[2 * r + 16 * t];
        const float im = out_3[2 * r + 16 * t + 1];
        const float otherRe = out_3[2 * r + 16 * t + 32];
        const float otherIm = out_3[2 * r + 16 * t + 33];
        const float turnedRe = c4 * otherRe - s4 * otherIm;
        const float turnedIm = c4 * otherIm + s4 * otherRe;
        in_4[2 * r + 32 * t] = re + turnedRe;
        in_4[2 * r + 32 * t + 1] = im + turnedIm;
        in_4[2 * r + 32 * t + 16] = re - turnedRe;
        in_4[2 * r + 32 * t + 17] = im - turnedIm;
      }
    }
    // Step 5 of 5.
    const int p5 = 16 * p;
#pragma unroll
    for (int t = 0; t < 16; ++t) {
      const int k = low + t * p;
      const float angle5 = -3.14159265f * k / p5;
      __builtin_assume(__builtin_fabsf(angle5) < 100000.0f);
      const float c5 = cosf(angle5);
      const float s5 = sinf(angle5);
      const float re = in_4[2 * t];
      const float im = in_4[2 * t + 1];
      const float otherRe = in_4[2 * t + 32];
      const float otherIm = in_4[2 * t + 33];
      const float turnedRe = c5 * otherRe - s5 * otherIm;
      const float turnedIm = c5 * otherIm + s5 * otherRe;
      const int j = 32 * group - 31 * low + t * p;
      // 2 elements of out in one access.
      *(float2*)(out + 2 * j) = make_float2(re + turnedRe, im + turnedIm);
      *(float2*)(out + 2 * (j + p5)) = make_float2(re - turnedRe, im - turnedIm);
    }
  }
}

// Each thread does 5 steps at once, the work of 16, 16, 16, 16 and 16 threads of them; what they hand on
// stays in registers.
__global__ void fft_step_joined_2(const float* in, float* out, int n, int p, int groups) {
  const int group = blockIdx.x * blockDim.x + threadIdx.x;
  if (group < groups) {
    const int low = group % p;
    // Step 1 of 5.
    float out_1[64];
    const float angle = -3.14159265f * low / p;
    const float c = cosf(angle);
    const float s = sinf(angle);
#pragma unroll
    for (int t = 0; t < 16; ++t) {
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
    // Step 2 of 5.
    float in_2[64];
    const int p2 = 2 * p;
#pragma unroll
    for (int r = 0; r < 2; ++r) {
      const int k = low + r * p;
      const float angle2 = -3.14159265f * k / p2;
      const float c2 = cosf(angle2);
      const float s2 = sinf(angle2);
#pragma unroll
      for (int t = 0; t < 8; ++t) {
        const float re = out_1[2 * r + 4 * t];
        const float im = out_1[2 * r + 4 * t + 1];
        const float otherRe = out_1[2 * r + 4 * t + 32];
        const float otherIm = out_1[2 * r + 4 * t + 33];
        const float turnedRe = c2 * otherRe - s2 * otherIm;
        const float turnedIm = c2 * otherIm + s2 * otherRe;
        in_2[2 * r + 8 * t] = re + turnedRe;
        in_2[2 * r + 8 * t + 1] = im + turnedIm;
        in_2[2 * r + 8 * t + 4] = re - turnedRe;
        in_2[2 * r + 8 * t + 5] = im - turnedIm;
      }
    }
    // Step 3 of 5.
    float out_3[64];
    const int p3 = 4 * p;
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      const int k = low + r * p;
      const float angle3 = -3.14159265f * k / p3;
      const float c3 = cosf(angle3);
      const float s3 = sinf(angle3);
#pragma unroll
      for (int t = 0; t < 4; ++t) {
        const float re = in_2[2 * r + 8 * t];
        const float im = in_2[2 * r + 8 * t + 1];
        const float otherRe = in_2[2 * r + 8 * t + 32];
        const float otherIm = in_2[2 * r + 8 * t + 33];
        const float turnedRe = c3 * otherRe - s3 * otherIm;
        const float turnedIm = c3 * otherIm + s3 * otherRe;
        out_3[2 * r + 16 * t] = re + turnedRe;
        out_3[2 * r + 16 * t + 1] = im + turnedIm;
        out_3[2 * r + 16 * t + 8] = re - turnedRe;
        out_3[2 * r + 16 * t + 9] = im - turnedIm;
      }
    }
    // Step 4 of 5.
    float in_4[64];
    const int p4 = 8 * p;
#pragma unroll
    for (int r = 0; r < 8; ++r) {
      const int k = low + r * p;
      const float angle4 = -3.14159265f * k / p4;
      const float c4 = cosf(angle4);
      const float s4 = sinf(angle4);
#pragma unroll
      for (int t = 0; t < 2; ++t) {
        const float re = out_3[2 * r + 16 * t];
        const float im = out_3[2 * r + 16 * t + 1];
        const float otherRe = out_3[2 * r + 16 * t + 32];
        const float otherIm = out_3[2 * r + 16 * t + 33];
        const float turnedRe = c4 * otherRe - s4 * otherIm;
        const float turnedIm = c4 * otherIm + s4 * otherRe;
        in_4[2 * r + 32 * t] = re + turnedRe;
        in_4[2 * r + 32 * t + 1] = im + turnedIm;
        in_4[2 * r + 32 * t + 16] = re - turnedRe;
        in_4[2 * r + 32 * t + 17] = im - turnedIm;
      }
    }
    // Step 5 of 5.
    const int p5 = 16 * p;
#pragma unroll
    for (int t = 0; t < 16; ++t) {
      const int k = low + t * p;
      const float angle5 = -3.14159265f * k / p5;
      const float c5 = cosf(angle5);
      const float s5 = sinf(angle5);
      const float re = in_4[2 * t];
      const float im = in_4[2 * t + 1];
      const float otherRe = in_4[2 * t + 32];
      const float otherIm = in_4[2 * t + 33];
      const float turnedRe = c5 * otherRe - s5 * otherIm;
      const float turnedIm = c5 * otherIm + s5 * otherRe;
      const int j = 32 * group - 31 * low + t * p;
      out[2 * j] = re + turnedRe;
      out[2 * j + 1] = im + turnedIm;
      out[2 * (j + p5)] = re - turnedRe;
      out[2 * (j + p5) + 1] = im - turnedIm;
    }
  }
}
}  // namespace fft_step_hone
#endif

// Stands for a launch of fft_step in a loop: same grid, block and arguments. Does several iterations where
// they are due, and returns p of the last one.
static inline int fft_step_launch(dim3 grid, dim3 block, size_t shared, cudaStream_t stream, const float* in,
                                  float* out, int n, int p) {
#ifndef HONE_OFF
  using namespace fft_step_hone;
  const long long threads_x = (long long)grid.x * block.x;
  static const bool enabled = !::getenv("HONE_OFF") || *::getenv("HONE_OFF") <= '0';
  // Where one of these does not hold, the original runs.
  const bool covered = n / 2 <= threads_x && block.x == 128 && block.y == 1 && block.z == 1;
  const bool apart = in + (long long)n * 2 <= out || out + (long long)n * 2 <= in;
  const bool aligned =
      n % (p > 0 ? (long long)p * 32 : 1) == 0 && (p * 2 >= n || p * 4 >= n || p * 8 >= n || p * 16 >= n ||
                                                   p * 32 >= n || n % (p > 0 ? (long long)p * 64 : 1) == 0);
  const bool in_range = p * 2 < n && p * 4 < n && p * 8 < n && p * 16 < n && p > 0 && n > 0;
  if (enabled && covered && apart && aligned && in_range) {
    if (p == 1) {
      const bool aligned_2 = (size_t)in % 8 == 0 && (size_t)out % 16 == 0;
      if (aligned_2) {
        const dim3 blocks((n / 32 + block.x - 1) / block.x, grid.y, grid.z), threads(kBlockX);
        fft_step_hone::fft_step_joined_p1<<<blocks, threads, 0, stream>>>(in, out, n, n / 32);
      } else {
        const dim3 blocks_2((n / 32 + block.x - 1) / block.x, grid.y, grid.z), threads_2(kBlockX);
        fft_step_hone::fft_step_joined_p1_2<<<blocks_2, threads_2, 0, stream>>>(in, out, n, n / 32);
      }
    } else {
      const bool aligned_3 = (size_t)in % 8 == 0 && (size_t)out % 8 == 0;
      if (aligned_3) {
        const dim3 blocks_3((n / 32 + block.x - 1) / block.x, grid.y, grid.z);
        fft_step_hone::fft_step_joined<<<blocks_3, block, 0, stream>>>(in, out, n, p, n / 32);
      } else {
        const dim3 blocks_4((n / 32 + block.x - 1) / block.x, grid.y, grid.z);
        fft_step_hone::fft_step_joined_2<<<blocks_4, block, 0, stream>>>(in, out, n, p, n / 32);
      }
    }
    return p * 16;
  }
#endif
  fft_step<<<grid, block, shared, stream>>>(in, out, n, p);
  return p;
}

    p = fft_step_launch((n / 2 + 127) / 128, 128, 0, 0, in, out, n, p);
