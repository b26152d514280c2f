// cl-std: CL1.2
// A breadth-first step and a shortest-path relaxation over a graph in CSR form with struct nodes.
typedef struct { int start; int count; } Node;

__kernel void bfs(const __global Node *nodes, const __global int *edges, __global char *mask, __global char *updating, __global char *seen, __global int *cost, const int n) {
  int t = get_global_id(0);
  if (t < n && mask[t]) {
    mask[t] = false;
    for (int i = nodes[t].start; i < nodes[t].start + nodes[t].count; i++) {
      int id = edges[i];
      if (!seen[id]) {
        cost[id] = cost[t] + 1;
        updating[id] = true;
      }
    }
  }
}

__kernel void relax(__global const int *row, __global const int *col, __global const uint *w, __global uint *dist, __global int *changed, int n) {
  const int v = get_global_id(0);
  if (v >= n || dist[v] == UINT_MAX) return;
  for (int e = row[v]; e < row[v + 1]; ++e) {
    uint d = dist[v] + w[e];
    if (d < dist[col[e]]) {
      atomic_min(&dist[col[e]], d);
      *changed = 1;
    }
  }
}
