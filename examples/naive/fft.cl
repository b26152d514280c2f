// Fourier transform of complex numbers that lie interleaved, in steps over pairs (Stockham's order, so that nothing need
// be put in place afterwards): one launch per step, one work-item per pair. The length must be a power of two.

// Joins transforms of p numbers each to transforms of 2 * p.
#pragma hone set(p=4)
__kernel void fft_step(__global const float* in, __global float* out, int n, int p) {
  int i = get_global_id(0);
  if (i >= n / 2) return;
  int k = i % p;
  float angle = -3.14159265f * k / p;
  float c = cos(angle), s = sin(angle);
  float re = in[2 * i], im = in[2 * i + 1];
  float otherRe = in[2 * (i + n / 2)], otherIm = in[2 * (i + n / 2) + 1];
  float turnedRe = c * otherRe - s * otherIm, turnedIm = c * otherIm + s * otherRe;
  int j = 2 * i - k;
  out[2 * j] = re + turnedRe;
  out[2 * j + 1] = im + turnedIm;
  out[2 * (j + p)] = re - turnedRe;
  out[2 * (j + p) + 1] = im - turnedIm;
}
