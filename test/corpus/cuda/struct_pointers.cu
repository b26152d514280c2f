// no-opencl: meshScale structs with pointers
// no-opencl: visit pointers
// Structs by pointer, arrays of structs, structs with pointers and arrays inside, -> and . mixed.
typedef struct {
  float x, y, z;
  float mass;
} Body;

struct Mesh {
  float* coords;
  const int* connectivity;
  int count;
  int stride[2];
};

struct Node {
  Body body;
  Node* next;
  int children[8];
};

__global__ void moveBodies(Body* bodies, const Body* old, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Body* b = &bodies[i];
  const Body* o = old + i;
  b->x = o->x + dt * o->mass;
  b->y = (*o).y + dt;
  b->z += dt;
  bodies[i].mass *= 0.5f;
}

__global__ void meshScale(Mesh mesh, const Mesh* others, float f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < mesh.count) {
    int v = mesh.connectivity[i * mesh.stride[0] + mesh.stride[1]];
    mesh.coords[v] *= f;
    others[1].coords[v] = mesh.coords[v] + others->coords[0];
  }
}

__global__ void visit(const Node* nodes, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const Node* p = &nodes[i];
    float m = 0;
    while (p) {
      m += p->body.mass;
      for (int c = 0; c < 8; c++)
        if (p->children[c] >= 0) m += nodes[p->children[c]].body.mass;
      p = p->next;
    }
    out[i] = m;
  }
}
