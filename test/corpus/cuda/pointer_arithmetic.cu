// run-on-host: slidingSum gemvPtr chase
// Pointer arithmetic that reduces to an array and an index: offsets, differences, comparisons, moving pointers, negative subscripts.
__global__ void slidingSum(const float *in, float *out, int n, int w)
{
    int g = blockIdx.x * blockDim.x + threadIdx.x;
    const float *p = in + g, *end = p + w;
    float s = 0;
    if (g + w > n)
        end = in + n;
    for (; p < end; ++p)
        s += *p;
    *(out + g) = s / (end - (in + g));
}

__global__ void gemvPtr(const double *A, const double *x, double *y, int lda, int m, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= m) return;
    A += (long)r * lda;
    double s = 0;
    for (int c = 0; c < n; c++, A++)
        s += *A * x[c];
    y[r] = s;
}

__global__ void chase(int *a, int n)
{
    int *p = &a[n / 2], *q = a;
    p[-1] = p[1];
    *(p - 2) = 2[p];
    p += threadIdx.x;
    if (p > q && p - q < n)
        *p = (int)(p - q);
    q = p - 3;
    q[3]++;
    (*q)--;
    p = threadIdx.x & 1 ? q : p;
    *p-- = 7;
    *p = *--q + 1;
    unsigned char *bytes = (unsigned char *)a;
    bytes[n * 4] = bytes[1] ^ 0x5a;
    if (!p || q == nullptr)
        return;
    const int *c = p;
    a[*c & 7] = c[*q & 3];
}
