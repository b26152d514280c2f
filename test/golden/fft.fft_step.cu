// recipe: vectorize
__global__ void fft_step(const float* in, float* out, int n, int p) {
  // Where this does not hold, the original runs.
  if ((unsigned long long)in % 8ull == 0ull && (unsigned long long)out % 8ull == 0ull) {
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
      // 2 elements of in in one access.
      const float2 in_pair2 = *(const float2*)(in + 2 * (i + n / 2));
      float otherRe = in_pair2.x;
      float otherIm = in_pair2.y;
      float turnedRe = c * otherRe - s * otherIm;
      float turnedIm = c * otherIm + s * otherRe;
      int j = 2 * i - k;
      // 2 elements of out in one access.
      *(float2*)(out + 2 * j) = make_float2(re + turnedRe, im + turnedIm);
      // 2 elements of out in one access.
      *(float2*)(out + 2 * (j + p)) = make_float2(re - turnedRe, im - turnedIm);
    }
  } else {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) {
      return;
    }
    int k = i % p;
    float angle = -3.14159265f * k / p;
    float c = cosf(angle);
    float s = sinf(angle);
    float re = in[2 * i];
    float im = in[2 * i + 1];
    float otherRe = in[2 * (i + n / 2)];
    float otherIm = in[2 * (i + n / 2) + 1];
    float turnedRe = c * otherRe - s * otherIm;
    float turnedIm = c * otherIm + s * otherRe;
    int j = 2 * i - k;
    out[2 * j] = re + turnedRe;
    out[2 * j + 1] = im + turnedIm;
    out[2 * (j + p)] = re - turnedRe;
    out[2 * (j + p) + 1] = im - turnedIm;
  }
}
