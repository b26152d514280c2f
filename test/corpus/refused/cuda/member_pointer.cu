// expect-refused: pick 8 pointer to a member
// A pointer to a data member.
struct P {
  float x, y;
};

__global__ void pick(P* p, float* out, bool second) {
  float P::*m = second ? &P::y : &P::x;
  out[threadIdx.x] = p[threadIdx.x].*m;
}
