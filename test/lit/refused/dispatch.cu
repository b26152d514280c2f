// What neither virtual functions nor the heap of kernels can do, told by a build for the embedded device.
// RUN: %hone run %s 2>&1 | FileCheck %s
// CHECK-DAG: dispatch.cu:[[#@LINE+17]]: kernel makesOwn cannot run: operator new of the user's
// CHECK-DAG: dispatch.cu:[[#@LINE+17]]: kernel endsOwn cannot run: operator delete of the user's
// CHECK-DAG: kernel makesMany cannot run: new of an array of objects with destructors
// CHECK-DAG: kernel endsMany cannot run: delete of an array of objects with destructors
// CHECK-DAG: kernel makesThree cannot run: new of an array with initial values
// CHECK-DAG: kernel callsNothing cannot run: call through a function pointer, and no function of its type has its address taken here
// CHECK-DAG: kernel nobody cannot run: virtual function 'Abstract::value', which no class in sight has for the device
// CHECK-DAG: kernel callsEnd cannot run: call of a virtual destructor
// CHECK-DAG: kernel two cannot run: class 'Two' with several bases that have virtual functions
// CHECK-DAG: kernel endsHolder cannot run: member 'held' with a destructor
// CHECK-DAG: kernel endsNobody cannot run: virtual destructor that no class in sight has for the device
// CHECK-DAG: kernel copies cannot run: overriders that return different types
// CHECK-DAG: kernel usesGlobal cannot run: global object 'whole' with virtual functions
struct Own {
  __device__ void* operator new(size_t n);
  __device__ void operator delete(void* p);
};
__global__ void makesOwn(Own** p) { *p = new Own; }
__global__ void endsOwn(Own** p) { delete *p; }

struct Ended {
  int n;
  __device__ ~Ended() { n = 0; }
};
__global__ void makesMany(Ended** p, int n) { *p = new Ended[n]; }
__global__ void endsMany(Ended** p) { delete[] *p; }

__global__ void makesThree(int** p) { *p = new int[3]{1, 2, 3}; }

__global__ void callsNothing(short (*f)(short, char), int* x) { x[0] = f(1, 2); }

struct Abstract {
  __device__ virtual int value() const = 0;
};
__global__ void nobody(Abstract* a, int* x) { x[0] = a->value(); }

struct First {
  int a;
  __device__ virtual ~First() {}
  __device__ virtual int first() { return a; }
};
struct Second {
  int b;
  __device__ virtual int second() { return b; }
};
struct Two : First, Second {};
__global__ void callsEnd(First* f) { f->~First(); }
__global__ void two(Two* t, int* x) { x[0] = t->second(); }

struct Holder {
  Ended held;
  __device__ ~Holder() { held.n = 1; }
};
__global__ void endsHolder(Holder** h) { delete *h; }

struct NeverMade {
  __device__ virtual ~NeverMade() {}
  __device__ virtual void run() = 0;
};
__global__ void endsNobody(NeverMade** n) { delete *n; }

struct Base {
  __device__ virtual Base* self() { return this; }
};
struct Derived : Base {
  __device__ Derived* self() override { return this; }
};
__global__ void copies(Base* b, Base** to) { *to = b->self(); }

struct Known {
  int b = 2;
  constexpr Known() {}
  __device__ virtual int get() const { return b; }
};
__device__ Known whole;
__global__ void usesGlobal(int* x) { x[0] = whole.get(); }
int main() {}
