__global__ void scale(const float* a, float* b, float f, int n);
void run(const float* a, float* b, int n) { scale<<<(n + 255) / 256, 256>>>(a, b, 2.0f, n); }
