// Managed memory: a linked list that host and device both walk, and a managed variable.
#include <cstdio>

struct Node {
  int value;
  Node* next;
};

__managed__ int total;

__global__ void walk(Node* head) {
  int sum = 0;
  for (Node* n = head; n; n = n->next) {
    n->value *= 2;
    sum += n->value;
  }
  total = sum;
}

int main() {
  Node* nodes;
  cudaMallocManaged(&nodes, 20 * sizeof(Node));
  for (int i = 0; i < 20; ++i) nodes[i] = {i * i, i + 1 < 20 ? &nodes[i + 1] : nullptr};
  walk<<<1, 1>>>(nodes);
  cudaDeviceSynchronize();
  int sum = 0;
  for (Node* n = nodes; n; n = n->next) sum += n->value;
  std::printf("host %d, device %d\n", sum, total);
  cudaFree(nodes);
}
