// Escape-time loops with a nested ternary for colours and a double-precision variant.
__global__ void mandel(unsigned *img, int w, int h, float x0, float y0, float dx, int maxIter)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= w || py >= h) return;
    float cx = x0 + px * dx, cy = y0 + py * dx, x = 0, y = 0, x2, y2;
    int it = 0;
    while ((x2 = x * x) + (y2 = y * y) < 4.0f && it < maxIter) {
        y = 2 * x * y + cy;
        x = x2 - y2 + cx;
        ++it;
    }
    img[py * w + px] = it == maxIter ? 0u : it < 16 ? 0xff0000u | it << 4 : it < 64 ? 0x00ff00u + it : it & 1 ? 0xffffffu : 0x0000ffu;
}

__device__ int escape(double cr, double ci, int limit)
{
    double zr = 0.0, zi = 0.0;
    for (int i = 0; i < limit; ++i) {
        double t = zr * zr - zi * zi + cr;
        zi = 2.0 * zr * zi + ci;
        zr = t;
        if (zr * zr + zi * zi > 4.0)
            return i;
    }
    return limit;
}

__global__ void mandelDouble(unsigned short *out, int w, double scale)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (unsigned short)escape((i % w) * scale - 2.0, (i / w) * scale - 1.0, 1 << 10);
}
