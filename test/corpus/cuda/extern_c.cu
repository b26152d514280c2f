// extern "C" kernels, one by one and in a block, with exact names and unsigned long parameters.
extern "C" __global__ void c_scale(float *x, float f, unsigned long n)
{
    unsigned long i = (unsigned long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= f;
}

extern "C" {
__device__ static float lerp_(float a, float b, float t) { return a + t * (b - a); }

__global__ void c_lerp(float *o, const float *a, const float *b, float t, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        o[i] = lerp_(a[i], b[i], t);
}
}
