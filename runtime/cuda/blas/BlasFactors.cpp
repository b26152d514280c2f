// Batches of small systems: factors by rows exchanged, inverses, solutions.
#include "Blas.h"

using namespace hone::cuda::blas;

namespace {

template <class T> T magnitude(T x) { return std::abs(x); }
template <class T> T magnitude(std::complex<T> x) { return std::abs(x.real()) + std::abs(x.imag()); }

// L and U over the matrix itself. Gives 0, or from 1 the column whose pivot is 0.
template <class T> int factorize(T* a, int n, int lda, int* pivots) {
  int singular = 0;
  const auto at = [&](int i, int j) -> T& { return a[i + size_t(j) * size_t(lda)]; };
  for (int k = 0; k < n; ++k) {
    int best = k;
    for (int i = k + 1; pivots && i < n; ++i)
      if (magnitude(load(at(i, k))) > magnitude(load(at(best, k)))) best = i;
    if (pivots) pivots[k] = best + 1;
    for (int j = 0; best != k && j < n; ++j) std::swap(at(k, j), at(best, j));
    const Number<T> pivot = load(at(k, k));
    if (pivot == Number<T>(0)) {
      if (!singular) singular = k + 1;
      continue;
    }
    for (int i = k + 1; i < n; ++i) {
      const Number<T> factor = load(at(i, k)) / pivot;
      store(at(i, k), factor);
      for (int j = k + 1; j < n; ++j) store(at(i, j), load(at(i, j)) - factor * load(at(k, j)));
    }
  }
  return singular;
}

// b becomes the solution of op(A) x = b by the factors of A.
template <class T>
void solve(const T* a, int n, int lda, const int* pivots, cublasOperation_t op, std::vector<Number<T>>& b) {
  const auto at = [&](int i, int j) { return element(a, lda, op, i, j); };
  const auto exchange = [&](int k) {
    if (pivots && pivots[k] - 1 != k) std::swap(b[size_t(k)], b[size_t(pivots[k] - 1)]);
  };
  const bool plain = op == CUBLAS_OP_N;
  if (plain)
    for (int k = 0; k < n; ++k) exchange(k);
  for (int i = 0; i < n; ++i) {  // L of A, or U of A turned over, which has the diagonal
    for (int l = 0; l < i; ++l) b[size_t(i)] -= at(i, l) * b[size_t(l)];
    if (!plain) b[size_t(i)] /= at(i, i);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int l = i + 1; l < n; ++l) b[size_t(i)] -= at(i, l) * b[size_t(l)];
    if (plain) b[size_t(i)] /= at(i, i);
  }
  if (!plain)
    for (int k = n - 1; k >= 0; --k) exchange(k);
}

template <class T>
cublasStatus_t getrf(cublasHandle_t h, int n, T* const a[], int lda, int* pivots, int* info, int batch) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas getrfBatched");
    if (!call.require(n >= 0 && lda >= std::max(1, n) && batch >= 0)) return call.status;
    T* const* matrices = call.operand(a, size_t(batch), false);
    int* infos = call.operand(info, size_t(batch), true);
    int* places = pivots ? call.operand(pivots, size_t(batch) * size_t(n), true) : nullptr;
    for (int k = 0; call.ok() && k < batch; ++k) {
      T* one = call.operand(matrices[k], extent(n, n, lda), true);
      if (call.ok()) infos[k] = factorize(one, n, lda, places ? places + size_t(k) * size_t(n) : nullptr);
    }
    return call.status;
  });
}

// Columns of the unit matrix are solved for. Gives 0, or from 1 the column whose pivot is 0.
template <class T> int invert(const T* a, int n, int lda, const int* pivots, T* c, int ldc) {
  for (int k = 0; k < n; ++k)
    if (load(a[k + size_t(k) * size_t(lda)]) == Number<T>(0)) return k + 1;
  std::vector<Number<T>> column(static_cast<size_t>(n));
  for (int j = 0; j < n; ++j) {
    std::fill(column.begin(), column.end(), Number<T>(0));
    column[size_t(j)] = Number<T>(1);
    solve(a, n, lda, pivots, CUBLAS_OP_N, column);
    for (int i = 0; i < n; ++i) store(c[i + size_t(j) * size_t(ldc)], column[size_t(i)]);
  }
  return 0;
}

template <class T>
cublasStatus_t getri(cublasHandle_t h, int n, const T* const a[], int lda, const int* pivots, T* const c[],
                     int ldc, int* info, int batch) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas getriBatched");
    if (!call.require(n >= 0 && lda >= std::max(1, n) && ldc >= std::max(1, n) && batch >= 0))
      return call.status;
    const T* const* matrices = call.operand(a, size_t(batch), false);
    T* const* inverses = call.operand(c, size_t(batch), false);
    int* infos = call.operand(info, size_t(batch), true);
    const int* places = pivots ? call.operand(pivots, size_t(batch) * size_t(n), false) : nullptr;
    for (int k = 0; call.ok() && k < batch; ++k) {
      const T* from = call.operand(matrices[k], extent(n, n, lda), false);
      T* to = call.operand(inverses[k], extent(n, n, ldc), true);
      if (call.ok())
        infos[k] = invert(from, n, lda, places ? places + size_t(k) * size_t(n) : nullptr, to, ldc);
    }
    return call.status;
  });
}

template <class T>
cublasStatus_t getrs(cublasHandle_t h, cublasOperation_t op, int n, int rhs, const T* const a[], int lda,
                     const int* pivots, T* const b[], int ldb, int* info, int batch) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas getrsBatched");
    *info = 0;  // of the arguments, on the host
    if (!call.require(n >= 0 && rhs >= 0 && lda >= std::max(1, n) && ldb >= std::max(1, n) && batch >= 0))
      return call.status;
    const T* const* matrices = call.operand(a, size_t(batch), false);
    T* const* sides = call.operand(b, size_t(batch), false);
    const int* places = pivots ? call.operand(pivots, size_t(batch) * size_t(n), false) : nullptr;
    std::vector<Number<T>> column(static_cast<size_t>(n));
    for (int k = 0; call.ok() && k < batch; ++k) {
      const T* from = call.operand(matrices[k], extent(n, n, lda), false);
      T* to = call.operand(sides[k], extent(n, rhs, ldb), true);
      for (int j = 0; call.ok() && j < rhs; ++j) {
        for (int i = 0; i < n; ++i) column[size_t(i)] = load(to[i + size_t(j) * size_t(ldb)]);
        solve(from, n, lda, places ? places + size_t(k) * size_t(n) : nullptr, op, column);
        for (int i = 0; i < n; ++i) store(to[i + size_t(j) * size_t(ldb)], column[size_t(i)]);
      }
    }
    return call.status;
  });
}

}  // namespace

#define FACTORS(X, T)                                                                                      \
  cublasStatus_t cublas##X##getrfBatched(cublasHandle_t h, int n, T* const a[], int lda, int* pivots,      \
                                         int* info, int batch) {                                           \
    return getrf(h, n, a, lda, pivots, info, batch);                                                       \
  }                                                                                                        \
  cublasStatus_t cublas##X##getriBatched(cublasHandle_t h, int n, const T* const a[], int lda,             \
                                         const int* pivots, T* const c[], int ldc, int* info, int batch) { \
    return getri(h, n, a, lda, pivots, c, ldc, info, batch);                                               \
  }                                                                                                        \
  cublasStatus_t cublas##X##getrsBatched(cublasHandle_t h, cublasOperation_t op, int n, int rhs,           \
                                         const T* const a[], int lda, const int* pivots, T* const b[],     \
                                         int ldb, int* info, int batch) {                                  \
    return getrs(h, op, n, rhs, a, lda, pivots, b, ldb, info, batch);                                      \
  }
FACTORS(S, float)
FACTORS(D, double)
FACTORS(C, cuComplex)
FACTORS(Z, cuDoubleComplex)
