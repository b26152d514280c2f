// Virtual functions, new and delete: which function is called hangs on the object, which the heap keeps from
// launch to launch.
// RUN: %hone run %s | FileCheck %s
// CHECK: areas 0
// CHECK-NEXT: trees 0
// CHECK-NEXT: counted 0
// CHECK-NEXT: ended 32 16
#include <cstdio>
#include <cstdlib>
#include <new>

#define BOTH __host__ __device__

__device__ int endedShapes, endedRings;

class Shape {
 public:
  BOTH Shape(float scale) : scale(scale) {}
  BOTH virtual ~Shape() {
#ifdef __CUDA_ARCH__
    atomicAdd(&endedShapes, 1);
#endif
  }
  BOTH virtual float area() const = 0;
  BOTH virtual float scaled(float by) const { return by * scale * area(); }
  BOTH float twice() const { return 2 * area(); }

 protected:
  float scale;
};

class Square : public Shape {
 public:
  BOTH Square(float edge) : Shape(0.5f), edge(edge) {}
  BOTH float area() const override { return edge * edge; }

 private:
  float edge;
};

class Circle : public Shape {
 public:
  BOTH Circle(float radius, float scale) : Shape(scale), radius(radius) {}
  BOTH float area() const override { return 3 * radius * radius; }

 protected:
  float radius;
};

class Ring : public Circle {
 public:
  BOTH Ring(float radius, float hole) : Circle(radius, 2), hole(hole) {}
  BOTH ~Ring() override {
#ifdef __CUDA_ARCH__
    atomicAdd(&endedRings, 1);
#endif
  }
  BOTH float area() const override { return Circle::area() - 3 * hole * hole; }
  BOTH float scaled(float by) const override { return Circle::scaled(by) + 1; }

 private:
  float hole;
};

BOTH Shape* make(int i) {
  switch (i % 4) {
    case 0: return new Square(i);
    case 1: return new Circle(i, 0.25f);
    default: return new Ring(i, 0.5f * i);
  }
}

__global__ void makeAll(Shape** shapes) { shapes[threadIdx.x] = make(threadIdx.x); }
__global__ void measureAll(Shape* const* shapes, float* areas) {
  const Shape& shape = *shapes[threadIdx.x];
  areas[threadIdx.x] = shape.scaled(1.5f) + shape.twice();
}
__global__ void endAll(Shape** shapes) { delete shapes[threadIdx.x]; }

// A tree of expressions: virtual functions that call themselves through others.
struct Node {
  BOTH virtual double value(double x) const = 0;
  BOTH virtual void end() {}
};
struct Number : Node {
  double n;
  BOTH Number(double n) : n(n) {}
  BOTH double value(double) const { return n; }
};
struct Variable : Node {
  BOTH double value(double x) const { return x; }
};
struct Sum : Node {
  Node *a, *b;
  BOTH Sum(Node* a, Node* b) : a(a), b(b) {}
  BOTH double value(double x) const { return a->value(x) + b->value(x); }
  BOTH void end() {
    a->end();
    b->end();
    delete a;
    delete b;
  }
};
struct Product : Sum {
  BOTH Product(Node* a, Node* b) : Sum(a, b) {}
  BOTH double value(double x) const { return a->value(x) * b->value(x); }
};

BOTH Node* grow(int depth, unsigned seed) {
  const unsigned next = seed * 1664525u + 1013904223u;
  if (depth == 0 || seed % 5 == 0)
    return seed % 2 ? static_cast<Node*>(new Variable) : static_cast<Node*>(new Number(seed % 7));
  Node* a = grow(depth - 1, next);
  Node* b = grow(depth - 1, next ^ 0x55aau);
  return seed % 3 ? static_cast<Node*>(new Sum(a, b)) : static_cast<Node*>(new Product(a, b));
}

__global__ void evaluate(double* values) {
  const int t = threadIdx.x;
  Node* tree = grow(t % 4, 17 * t + 3);
  values[t] = tree->value(0.25 * t);
  tree->end();
  delete tree;
}

struct Pair {
  int first = 3, second;
  BOTH Pair() : second(4) {}
};

__global__ void count(int* sums) {
  const int t = threadIdx.x, n = t % 5 + 1;
  int* numbers = new int[n]();
  Pair* pairs = new Pair[n];
  int* raw = static_cast<int*>(malloc(n * sizeof(int)));
  Pair* again = new (pairs) Pair;
  again->second += t;
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    raw[i] = i * t;
    numbers[i] += raw[i];
    sum += numbers[i] + pairs[i].first + pairs[i].second;
  }
  sums[t] = sum;
  delete[] numbers;
  delete[] pairs;
  free(raw);
}

constexpr int threads = 32;

int main() {
  Shape** shapes;
  float *areas, area[threads];
  double *values, value[threads];
  int *sums, sum[threads];
  cudaMalloc(&shapes, threads * sizeof(Shape*));
  cudaMalloc(&areas, sizeof area);
  cudaMalloc(&values, sizeof value);
  cudaMalloc(&sums, sizeof sum);
  makeAll<<<1, threads>>>(shapes);
  measureAll<<<1, threads>>>(shapes, areas);
  endAll<<<1, threads>>>(shapes);
  evaluate<<<1, threads>>>(values);
  count<<<1, threads>>>(sums);
  cudaMemcpy(area, areas, sizeof area, cudaMemcpyDeviceToHost);
  cudaMemcpy(value, values, sizeof value, cudaMemcpyDeviceToHost);
  cudaMemcpy(sum, sums, sizeof sum, cudaMemcpyDeviceToHost);
  int wrong[3] = {};
  for (int t = 0; t < threads; ++t) {
    const Shape* shape = make(t);
    wrong[0] += area[t] != shape->scaled(1.5f) + shape->twice();
    delete shape;
    Node* tree = grow(t % 4, 17 * t + 3);
    wrong[1] += value[t] != tree->value(0.25 * t);
    int expected = t;
    for (int i = 0; i < t % 5 + 1; ++i) expected += i * t + 7;
    wrong[2] += sum[t] != expected;
  }
  std::printf("areas %d\ntrees %d\ncounted %d\n", wrong[0], wrong[1], wrong[2]);
  int shapesEnded, ringsEnded;
  cudaMemcpyFromSymbol(&shapesEnded, endedShapes, sizeof(int));
  cudaMemcpyFromSymbol(&ringsEnded, endedRings, sizeof(int));
  std::printf("ended %d %d\n", shapesEnded, ringsEnded);
  cudaFree(shapes);
  cudaFree(areas);
  cudaFree(values);
  cudaFree(sums);
}
