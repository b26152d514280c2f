// cl-std: CL2.0
// Register blocking with private two-dimensional arrays, double precision and program-scope macros.
#define WPT 4
#define RTS (32 / WPT)
kernel void gemmBlocked(global const double *restrict A, global const double *restrict B, global double *restrict C, int M, int N, int K) {
  const int row = get_local_id(0), col = get_local_id(1);
  const int gr = 32 * get_group_id(0) + row, gc = 32 * get_group_id(1) + col;
  local double As[32][32], Bs[32][32];
  double acc[WPT] = {0.0};
  for (int t = 0; t < K / 32; t++) {
    for (int w = 0; w < WPT; w++) {
      As[col + w * RTS][row] = A[(32 * t + col + w * RTS) * M + gr];
      Bs[col + w * RTS][row] = B[(gc + w * RTS) * K + 32 * t + row];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 32; k++)
      for (int w = 0; w < WPT; w++)
        acc[w] += As[k][row] * Bs[col + w * RTS][k];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int w = 0; w < WPT; w++)
    C[(gc + w * RTS) * M + gr] = acc[w];
}
