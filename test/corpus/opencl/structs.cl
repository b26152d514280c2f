// cl-std: CL1.2
// Structs and typedefs: by value, by pointer, nested, arrays of structs, enums, helper functions.
typedef struct {
  float x, y, z;
} vec3f;

typedef struct Particle {
  vec3f pos;
  vec3f vel;
  float mass;
  int tags[2];
} Particle;

typedef struct {
  int count;
  float dt;
} Params;

enum Kind { FREE, FIXED = 4, GHOST };

vec3f add(vec3f a, vec3f b) {
  vec3f r;
  r.x = a.x + b.x;
  r.y = a.y + b.y;
  r.z = a.z + b.z;
  return r;
}

void kick(__global Particle *p, float dt) {
  p->vel.y -= 9.81f * dt;
  (*p).tags[0]++;
}

__kernel void stepParticles(__global Particle *ps, const Params params, __constant Params *limits) {
  int i = get_global_id(0);
  if (i >= params.count || i >= limits->count)
    return;
  __global Particle *p = ps + i;
  if (p->tags[1] == FIXED)
    return;
  kick(p, params.dt);
  vec3f d = {p->vel.x * params.dt, p->vel.y * params.dt, p->vel.z * params.dt};
  p->pos = add(p->pos, d);
  Particle copy = *p;
  copy.mass *= 0.5f;
  ps[i].mass = copy.mass + ps[i].pos.x;
}
