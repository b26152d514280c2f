// cl-std: CL1.2
// Arrays of vectors, vectors in structs, vector function arguments and pointers to vectors.
typedef struct {
  float4 pos;
  float4 vel;
  uint2 id;
} Body;

float4 attract(float4 p, float4 q) {
  float4 d = q - p;
  float r2 = d.x * d.x + d.y * d.y + d.z * d.z + 1e-4f;
  return d * (q.w * rsqrt(r2) / r2);
}

void addTo(float4 *acc, float4 v) { *acc += v; }

__kernel void nbody(__global Body *b, __global const float4 *others, int n, float dt) {
  int i = get_global_id(0);
  float4 acc = (float4)(0.0f);
  float4 history[3];
  for (int j = 0; j < n; j++) {
    float4 f = attract(b[i].pos, others[j]);
    addTo(&acc, f);
    history[j % 3] = f;
  }
  b[i].vel += acc * dt;
  b[i].pos.xyz += b[i].vel.xyz * dt;
  b[i].id.y = b[i].id.x + (uint)history[0].x;
}
