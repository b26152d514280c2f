int factor = FACTOR;
#pragma acc declare copyin(factor)
#pragma acc routine seq
static int scaled(int x) { return x * factor; }
int NAME(int x) {
  int out[4];
#pragma acc parallel loop copyout(out)
  for (int i = 0; i < 4; ++i) out[i] = scaled(x + i);
  return out[3];
}
