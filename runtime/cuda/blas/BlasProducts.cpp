// Products of matrices, one and many.
#include "Blas.h"

using namespace hone::cuda::blas;

namespace {

struct Shape {
  cublasOperation_t opA, opB;
  int m, n, k, lda, ldb, ldc;
  size_t sizeA() const { return opA == CUBLAS_OP_N ? extent(m, k, lda) : extent(k, m, lda); }
  size_t sizeB() const { return opB == CUBLAS_OP_N ? extent(k, n, ldb) : extent(n, k, ldb); }
  size_t sizeC() const { return extent(m, n, ldc); }
  bool isValid() const {
    return m >= 0 && n >= 0 && k >= 0 && lda >= std::max(1, opA == CUBLAS_OP_N ? m : k) &&
           ldb >= std::max(1, opB == CUBLAS_OP_N ? k : n) && ldc >= std::max(1, m);
  }
};

template <class T>
void productOf(Call& call, const Shape& s, Number<T> alpha, const T* a, const T* b, Number<T> beta, T* c) {
  const bool reads = s.k > 0 && alpha != Number<T>(0);
  const T* left = reads ? call.operand(a, s.sizeA(), false) : nullptr;
  const T* right = reads ? call.operand(b, s.sizeB(), false) : nullptr;
  T* to = call.operand(c, s.sizeC(), true);
  if (!call.ok() || !to) return;
  multiply<Number<T>>(
      s.m, s.n, reads ? s.k : 0, alpha,
      [&](long long i, long long l) { return element(left, s.lda, s.opA, i, l); },
      [&](long long l, long long j) { return element(right, s.ldb, s.opB, l, j); }, beta,
      [&](long long i, long long j) { return load(to[i + j * s.ldc]); },
      [&](long long i, long long j, Number<T> x) { store(to[i + j * s.ldc], x); });
}

// `places(call, index, a, b, c)` gives the operands of one of the batch.
template <class T, class Places>
cublasStatus_t products(cublasHandle_t h, const char* name, Shape s, const T* alpha, const T* beta, int batch,
                        Places places) {
  return onStreamOf(h, [=] {
    Call call(h, name);
    if (!call.require(s.isValid() && batch >= 0)) return call.status;
    const T *factor = call.scalar(alpha, false), *rest = call.scalar(beta, false);
    for (int k = 0; call.ok() && k < batch; ++k) {
      const T *a = nullptr, *b = nullptr;
      T* c = nullptr;
      places(call, k, a, b, c);
      if (call.ok()) productOf(call, s, load(*factor), a, b, load(*rest), c);
    }
    return call.status;
  });
}

}  // namespace

#define PRODUCTS(X, T)                                                                                       \
  cublasStatus_t cublas##X##gemm(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m,      \
                                 int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,     \
                                 const T* beta, T* c, int ldc) {                                             \
    return products<T>(h, "cublas" #X "gemm", {opA, opB, m, n, k, lda, ldb, ldc}, alpha, beta, 1,            \
                       [=](Call&, int, const T*& x, const T*& y, T*& z) { x = a, y = b, z = c; });           \
  }                                                                                                          \
  cublasStatus_t cublas##X##gemmBatched(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB,      \
                                        int m, int n, int k, const T* alpha, const T* const a[], int lda,    \
                                        const T* const b[], int ldb, const T* beta, T* const c[], int ldc,   \
                                        int batch) {                                                         \
    return products<T>(h, "cublas" #X "gemmBatched", {opA, opB, m, n, k, lda, ldb, ldc}, alpha, beta, batch, \
                       [=](Call& call, int at, const T*& x, const T*& y, T*& z) {                            \
                         const size_t count = size_t(batch);                                                 \
                         const T* const* as = call.operand(a, count, false);                                 \
                         const T* const* bs = call.operand(b, count, false);                                 \
                         T* const* cs = call.operand(c, count, false);                                       \
                         if (call.ok()) x = as[at], y = bs[at], z = cs[at];                                  \
                       });                                                                                   \
  }                                                                                                          \
  cublasStatus_t cublas##X##gemmStridedBatched(                                                              \
      cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n, int k, const T* alpha,   \
      const T* a, int lda, long long strideA, const T* b, int ldb, long long strideB, const T* beta, T* c,   \
      int ldc, long long strideC, int batch) {                                                               \
    return products<T>(h, "cublas" #X "gemmStridedBatched", {opA, opB, m, n, k, lda, ldb, ldc}, alpha, beta, \
                       batch, [=](Call&, int at, const T*& x, const T*& y, T*& z) {                          \
                         x = a + at * strideA, y = b + at * strideB, z = c + at * strideC;                   \
                       });                                                                                   \
  }
PRODUCTS(S, float)
PRODUCTS(D, double)
PRODUCTS(C, cuComplex)
PRODUCTS(Z, cuDoubleComplex)
PRODUCTS(H, __half)
