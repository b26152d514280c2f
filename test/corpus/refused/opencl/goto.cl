// cl-std: CL1.2
// expect-refused: jumps 7 goto
// expect-imported: straight
// goto and labels.
__kernel void jumps(__global int *x, int n) {
  int i = get_global_id(0);
again:
  if (i >= n) goto done;
  x[i] = i;
  i += get_global_size(0);
  goto again;
done:
  return;
}

__kernel void straight(__global int *x) { x[get_global_id(0)] = 1; }
