// Macros around ids and subscripts, with conditionals and statements hidden in macros.
#define GID_X (blockIdx.x * blockDim.x + threadIdx.x)
#define GID_Y (blockIdx.y * blockDim.y + threadIdx.y)
#define A(y, x) A[(y) * W + (x)]
#define B(y, x) B[(y) * W + (x)]
#define CLAMP(v, lo, hi) ((v) < (lo) ? (lo) : ((v) > (hi) ? (hi) : (v)))
#define RETURN_IF_OUTSIDE(y, x) do { if ((y) >= H || (x) >= W) return; } while (0)
#define DEFAULT_WEIGHT 0.25f
#define SQ(x) ((x) * (x))

__global__ void jacobi(const float *A, float *B, int H, int W)
{
    int x = GID_X, y = GID_Y;
    RETURN_IF_OUTSIDE(y, x);
    int n = CLAMP(y - 1, 0, H - 1), s = CLAMP(y + 1, 0, H - 1);
    int w = CLAMP(x - 1, 0, W - 1), e = CLAMP(x + 1, 0, W - 1);
    B(y, x) = DEFAULT_WEIGHT * (A(n, x) + A(s, x) + A(y, w) + A(y, e));
}

__global__ void residual(const float *A, const float *B, float *r, int H, int W)
{
    int x = GID_X, y = GID_Y;
    if (x < W && y < H)
        r[y * W + x] = SQ(A(y, x) - B(y, x));
}
