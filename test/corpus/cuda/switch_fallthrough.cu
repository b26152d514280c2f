// run-on-host: apply
// switch with fallthrough, grouped cases, default in the middle, a switch in a loop, return from a case.
enum Op { ADD, SUB, MUL = 5, NEG };
enum class Mode : unsigned char { Copy = 1, Double = 2, Clear = 4 };

__global__ void apply(const int* a, const int* b, int* c, const int* ops, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int r = 0;
  switch (ops[i]) {
    case ADD:
      r = a[i] + b[i];
      break;
    case SUB:
      r = a[i] - b[i];
      break;
    case MUL: {
      int t = a[i];
      r = t * b[i];
      break;
    }
    case NEG:
      r = -a[i];
    case 7:
    case 8:
      r += 1;
      break;
    default:
      c[i] = -1;
      return;
  }
  c[i] = r;
}

__global__ void interpret(const char* prog, int len, float* stack) {
  float acc = stack[threadIdx.x];
  for (int pc = 0; pc < len; ++pc) {
    switch (prog[pc]) {
      case '+': acc += 1; break;
      case '-': acc -= 1; break;
      default: continue;
      case '*': acc *= 2; break;
      case 'q': pc = len; break;
    }
    if (acc > 1e6f) break;
  }
  stack[threadIdx.x] = acc;
}

__global__ void modes(float* x, Mode m) {
  int i = threadIdx.x;
  switch (m) {
    case Mode::Copy: x[i] = x[i + 32]; break;
    case Mode::Double: x[i] *= 2.0f; break;
    case Mode::Clear: x[i] = 0.0f;
  }
  if (m != Mode::Clear) x[i] += static_cast<int>(m);
}
