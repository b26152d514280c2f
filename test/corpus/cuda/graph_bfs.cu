// One step of a breadth-first search: frontier flags, bool arrays, a queue with atomics, struct vertices.
struct Vertex {
  int first, degree;
};

__global__ void bfsStep(const Vertex* g, const int* edges, bool* frontier, bool* next, bool* visited, int* cost, bool* again, int n) {
  int tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (tid < n && frontier[tid]) {
    frontier[tid] = false;
    for (int i = g[tid].first; i < g[tid].first + g[tid].degree; i++) {
      int id = edges[i];
      if (!visited[id]) {
        cost[id] = cost[tid] + 1;
        next[id] = true;
      }
    }
  }
  if (tid < n && next[tid]) {
    visited[tid] = true;
    *again = true;
    next[tid] = false;
  }
}

__global__ void bfsQueue(const int* q, int qlen, int* qnext, int* qnextLen, const int* row, const int* col, int* dist, int level) {
  for (int k = blockIdx.x; k < qlen; k += gridDim.x) {
    const int v = q[k];
    const int* e = col + row[v];
    const int deg = row[v + 1] - row[v];
    for (int j = threadIdx.x; j < deg; j += blockDim.x)
      if (atomicCAS(&dist[e[j]], -1, level) == -1) qnext[atomicAdd(qnextLen, 1)] = e[j];
  }
}
