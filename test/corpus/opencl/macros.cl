// cl-std: CL1.2
// options: -DWIDTH=64 -DREAL=double
// Function-like macros around ids, subscripts and statements, token pasting and type macros.
#define A(y, x) A[(y) * WIDTH + (x)]
#define GID(d) get_global_id(d)
#define CAT_(a, b) a##b
#define CAT(a, b) CAT_(a, b)
#define REAL2 CAT(REAL, 2)
#define SWAP(t, a, b) { t tmp = a; a = b; b = tmp; }
#define UNROLL4(s) s; s; s; s

__kernel void mirror(__global REAL *A, int h) {
  int x = GID(0), y = GID(1);
  if (y < h / 2)
    SWAP(REAL, A(y, x), A(h - 1 - y, x))
}

__kernel void pairs(__global REAL2 *p) {
  int i = GID(0);
  REAL2 t = p[i];
  UNROLL4(t += (REAL2)(0.25, 0.5));
  p[i] = t;
}
