// run-on-host: pack copyWalk mixed
// Side effects inside expressions: pre- and post-increments in subscripts, pointer walking, while (n--).
__global__ void pack(const int *in, int *out, int *len, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, k = 0, m = n;
    const int *p = in + t * n;
    int *q = out + t * n;
    while (m--) {
        int v = *p++;
        if (v != 0)
            q[k++] = v;
    }
    len[t] = k;
    while (k < n)
        q[k++] = -1;
}

__global__ void copyWalk(float *d, const float *s, int n)
{
    float *e;
    s += threadIdx.x * n;
    d += threadIdx.x * n;
    e = d + n;
    while (d != e)
        *d++ = *s++;
}

__global__ void mixed(int *a, int n)
{
    int i = threadIdx.x, j = n;
    a[i++] = i;
    a[--j] += i++ + 2;
    a[j--] = a[i]++ - --a[j];
    int x = (i = j + 1) * 2;
    if ((x = a[x & 7]) > 3 && i++ < n)
        a[i] = x;
    a[i] = i > j ? i-- : ++j;
    a[0] = a[1] = a[2] = i + j;
}
