// expect-refused: gnuMax 5 statement expression
// A GNU statement expression.
#define MAXOF(a, b) ({ int a_ = (a), b_ = (b); a_ > b_ ? a_ : b_; })
__global__ void gnuMax(int* x) {
  x[threadIdx.x] = MAXOF(x[threadIdx.x], 3);
}
