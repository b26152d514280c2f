// cl-std: CL1.2
// The plain guarded elementwise kernel with global pointers and restrict.
__kernel void vadd(__global const float *restrict a, __global const float *restrict b, __global float *restrict c, const int n)
{
    int i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}
