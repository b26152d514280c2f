// expect-refused: jumps 5 goto
// goto and labels, forwards and backwards.
__global__ void jumps(int* x, int n) {
  int i = threadIdx.x;
again:
  if (i >= n) goto done;
  x[i] = i;
  i += blockDim.x;
  goto again;
done:
  return;
}
