// Level 2, and what of level 3 is not a plain product.
#include "Blas.h"

using namespace hone::cuda::blas;

namespace {

template <class T>
cublasStatus_t gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas gemv");
    if (!call.require(m >= 0 && n >= 0 && lda >= std::max(1, m) && incx && incy)) return call.status;
    const int rows = op == CUBLAS_OP_N ? m : n, columns = op == CUBLAS_OP_N ? n : m;
    const T *factor = call.scalar(alpha, false), *rest = call.scalar(beta, false);
    const T* matrix = call.operand(a, extent(m, n, lda), false);
    const T* from = call.operand(x, vectorExtent(columns, incx), false);
    T* to = call.operand(y, vectorExtent(rows, incy), true);
    for (int i = 0; call.ok() && to && i < rows; ++i) {
      Number<T> sum(0);
      for (int l = 0; l < columns; ++l)
        sum += element(matrix, lda, op, i, l) * load(from[at(l, columns, incx)]);
      T& out = to[at(i, rows, incy)];
      const Number<T> own = load(*factor) * sum;
      store(out, load(*rest) == Number<T>(0) ? own : own + load(*rest) * load(out));
    }
    return call.status;
  });
}

template <class T>
cublasStatus_t ger(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy,
                   T* a, int lda, bool conjugates) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas ger");
    if (!call.require(m >= 0 && n >= 0 && lda >= std::max(1, m) && incx && incy)) return call.status;
    const T* factor = call.scalar(alpha, false);
    const T* first = call.operand(x, vectorExtent(m, incx), false);
    const T* second = call.operand(y, vectorExtent(n, incy), false);
    T* to = call.operand(a, extent(m, n, lda), true);
    for (int j = 0; call.ok() && to && j < n; ++j) {
      const Number<T> own = load(second[at(j, n, incy)]);
      const Number<T> column = load(*factor) * (conjugates ? conjugate(own) : own);
      for (int i = 0; i < m; ++i) {
        T& out = to[i + size_t(j) * size_t(lda)];
        store(out, load(out) + load(first[at(i, m, incx)]) * column);
      }
    }
    return call.status;
  });
}

// An operand whose factor is 0 is not read, and need not be there.
template <class T>
cublasStatus_t geam(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m, int n,
                    const T* alpha, const T* a, int lda, const T* beta, const T* b, int ldb, T* c, int ldc) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas geam");
    const T *first = call.scalar(alpha, false), *second = call.scalar(beta, false);
    if (!call.require(m >= 0 && n >= 0 && ldc >= std::max(1, m))) return call.status;
    const bool usesA = load(*first) != Number<T>(0), usesB = load(*second) != Number<T>(0);
    if (!call.require((!usesA || lda >= std::max(1, opA == CUBLAS_OP_N ? m : n)) &&
                      (!usesB || ldb >= std::max(1, opB == CUBLAS_OP_N ? m : n))))
      return call.status;
    const T* left =
        usesA ? call.operand(a, opA == CUBLAS_OP_N ? extent(m, n, lda) : extent(n, m, lda), false) : nullptr;
    const T* right =
        usesB ? call.operand(b, opB == CUBLAS_OP_N ? extent(m, n, ldb) : extent(n, m, ldb), false) : nullptr;
    T* to = call.operand(c, extent(m, n, ldc), true);
    if (!call.ok() || !to) return call.status;
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i) {
        Number<T> sum(0);
        if (usesA) sum += load(*first) * element(left, lda, opA, i, j);
        if (usesB) sum += load(*second) * element(right, ldb, opB, i, j);
        store(to[i + size_t(j) * size_t(ldc)], sum);
      }
    return call.status;
  });
}

template <class T>
cublasStatus_t dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T* a, int lda, const T* x,
                    int incx, T* c, int ldc) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas dgmm");
    if (!call.require(m >= 0 && n >= 0 && lda >= std::max(1, m) && ldc >= std::max(1, m))) return call.status;
    const int length = side == CUBLAS_SIDE_LEFT ? m : n;
    const T* from = call.operand(a, extent(m, n, lda), false);
    const T* factors = call.operand(x, vectorExtent(length, incx), false);
    T* to = call.operand(c, extent(m, n, ldc), true);
    for (int j = 0; call.ok() && to && j < n; ++j)
      for (int i = 0; i < m; ++i)
        store(to[i + size_t(j) * size_t(ldc)],
              load(from[i + size_t(j) * size_t(lda)]) *
                  load(factors[at(side == CUBLAS_SIDE_LEFT ? i : j, length, incx)]));
    return call.status;
  });
}

// Solves op(A) x = b in place; x is n numbers. A is triangular.
template <class T>
void solveTriangle(const T* a, int lda, cublasFillMode_t fill, cublasOperation_t op,
                   cublasDiagType_t diagonal, int n, std::vector<Number<T>>& x) {
  const bool lower = (fill == CUBLAS_FILL_MODE_LOWER) == (op == CUBLAS_OP_N);  // of op(A)
  for (int step = 0; step < n; ++step) {
    const int i = lower ? step : n - 1 - step;
    Number<T> value = x[size_t(i)];
    for (int other = 0; other < step; ++other) {
      const int l = lower ? other : n - 1 - other;
      value -= element(a, lda, op, i, l) * x[size_t(l)];
    }
    x[size_t(i)] = diagonal == CUBLAS_DIAG_UNIT ? value : value / element(a, lda, op, i, i);
  }
}

template <class T>
cublasStatus_t trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
                    cublasDiagType_t diagonal, int m, int n, const T* alpha, const T* a, int lda, T* b,
                    int ldb) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas trsm");
    const int order = side == CUBLAS_SIDE_LEFT ? m : n;
    if (!call.require(m >= 0 && n >= 0 && lda >= std::max(1, order) && ldb >= std::max(1, m)))
      return call.status;
    const T* factor = call.scalar(alpha, false);
    const T* triangle = call.operand(a, extent(order, order, lda), false);
    T* to = call.operand(b, extent(m, n, ldb), true);
    if (!call.ok() || !to) return call.status;
    // X op(A) = B is op(A)^T X^T = B^T: rows of B take the place of columns, and conjugates that of op's.
    const bool left = side == CUBLAS_SIDE_LEFT;
    std::vector<Number<T>> x(static_cast<size_t>(order));
    for (int k = 0; k < (left ? n : m); ++k) {
      const auto place = [&](int i) -> T& {
        return left ? to[i + size_t(k) * size_t(ldb)] : to[k + size_t(i) * size_t(ldb)];
      };
      for (int i = 0; i < order; ++i) {
        x[size_t(i)] = load(*factor) * load(place(i));
        if (!left && op == CUBLAS_OP_C) x[size_t(i)] = conjugate(x[size_t(i)]);
      }
      solveTriangle(triangle, lda, fill,
                    left                ? op
                    : op == CUBLAS_OP_N ? CUBLAS_OP_T
                                        : CUBLAS_OP_N,
                    diagonal, order, x);
      for (int i = 0; i < order; ++i)
        store(place(i), !left && op == CUBLAS_OP_C ? conjugate(x[size_t(i)]) : x[size_t(i)]);
    }
    return call.status;
  });
}

template <class T>
cublasStatus_t trsv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, cublasDiagType_t diagonal,
                    int n, const T* a, int lda, T* x, int incx) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas trsv");
    if (!call.require(n >= 0 && lda >= std::max(1, n) && incx)) return call.status;
    const T* triangle = call.operand(a, extent(n, n, lda), false);
    T* to = call.operand(x, vectorExtent(n, incx), true);
    if (!call.ok() || !to) return call.status;
    std::vector<Number<T>> values(static_cast<size_t>(n));
    for (int i = 0; i < n; ++i) values[size_t(i)] = load(to[at(i, n, incx)]);
    solveTriangle(triangle, lda, fill, op, diagonal, n, values);
    for (int i = 0; i < n; ++i) store(to[at(i, n, incx)], values[size_t(i)]);
    return call.status;
  });
}

// The triangle that is not stored follows from the other.
template <class T> Number<T> symmetric(const T* a, int lda, cublasFillMode_t fill, int i, int j) {
  const bool stored = fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j;
  return load(stored ? a[i + size_t(j) * size_t(lda)] : a[j + size_t(i) * size_t(lda)]);
}

template <class T>
cublasStatus_t symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m, int n,
                    const T* alpha, const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas symm");
    const bool left = side == CUBLAS_SIDE_LEFT;
    const int order = left ? m : n;
    if (!call.require(m >= 0 && n >= 0 && lda >= std::max(1, order) && ldb >= std::max(1, m) &&
                      ldc >= std::max(1, m)))
      return call.status;
    const T *factor = call.scalar(alpha, false), *rest = call.scalar(beta, false);
    const T* whole = call.operand(a, extent(order, order, lda), false);
    const T* other = call.operand(b, extent(m, n, ldb), false);
    T* to = call.operand(c, extent(m, n, ldc), true);
    if (!call.ok() || !to) return call.status;
    const auto ofA = [&](long long i, long long j) { return symmetric(whole, lda, fill, int(i), int(j)); };
    const auto ofB = [&](long long i, long long j) { return load(other[i + j * ldb]); };
    const auto get = [&](long long i, long long j) { return load(to[i + j * ldc]); };
    const auto put = [&](long long i, long long j, Number<T> x) { store(to[i + j * ldc], x); };
    if (left)
      multiply<Number<T>>(m, n, m, load(*factor), ofA, ofB, load(*rest), get, put);
    else
      multiply<Number<T>>(m, n, n, load(*factor), ofB, ofA, load(*rest), get, put);
    return call.status;
  });
}

template <class T>
cublasStatus_t symv(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, const T* a, int lda,
                    const T* x, int incx, const T* beta, T* y, int incy) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas symv");
    if (!call.require(n >= 0 && lda >= std::max(1, n) && incx && incy)) return call.status;
    const T *factor = call.scalar(alpha, false), *rest = call.scalar(beta, false);
    const T* whole = call.operand(a, extent(n, n, lda), false);
    const T* from = call.operand(x, vectorExtent(n, incx), false);
    T* to = call.operand(y, vectorExtent(n, incy), true);
    if (!call.ok() || !to) return call.status;
    multiply<Number<T>>(
        n, 1, n, load(*factor),
        [&](long long i, long long j) { return symmetric(whole, lda, fill, int(i), int(j)); },
        [&](long long i, long long) { return load(from[at(i, n, incx)]); }, load(*rest),
        [&](long long i, long long) { return load(to[at(i, n, incy)]); },
        [&](long long i, long long, Number<T> v) { store(to[at(i, n, incy)], v); });
    return call.status;
  });
}

// Only the triangle that `fill` names is written.
template <class T>
cublasStatus_t syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n, int k,
                    const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas syrk");
    const bool plain = op == CUBLAS_OP_N;
    if (!call.require(n >= 0 && k >= 0 && lda >= std::max(1, plain ? n : k) && ldc >= std::max(1, n)))
      return call.status;
    const T *factor = call.scalar(alpha, false), *rest = call.scalar(beta, false);
    const T* from = call.operand(a, plain ? extent(n, k, lda) : extent(k, n, lda), false);
    T* to = call.operand(c, extent(n, n, ldc), true);
    if (!call.ok() || !to) return call.status;
    const cublasOperation_t own = plain ? CUBLAS_OP_N : CUBLAS_OP_T;
    multiply<Number<T>>(
        n, n, k, load(*factor), [&](long long i, long long l) { return element(from, lda, own, i, l); },
        [&](long long l, long long j) { return element(from, lda, own, j, l); }, load(*rest),
        [&](long long i, long long j) { return load(to[i + j * ldc]); },
        [&](long long i, long long j, Number<T> x) {
          if (fill == CUBLAS_FILL_MODE_LOWER ? i >= j : i <= j) store(to[i + j * ldc], x);
        });
    return call.status;
  });
}

}  // namespace

#define MATRICES(X, T)                                                                                       \
  cublasStatus_t cublas##X##gemv(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha,       \
                                 const T* a, int lda, const T* x, int incx, const T* beta, T* y, int incy) { \
    return gemv(h, op, m, n, alpha, a, lda, x, incx, beta, y, incy);                                         \
  }                                                                                                          \
  cublasStatus_t cublas##X##geam(cublasHandle_t h, cublasOperation_t opA, cublasOperation_t opB, int m,      \
                                 int n, const T* alpha, const T* a, int lda, const T* beta, const T* b,      \
                                 int ldb, T* c, int ldc) {                                                   \
    return geam(h, opA, opB, m, n, alpha, a, lda, beta, b, ldb, c, ldc);                                     \
  }                                                                                                          \
  cublasStatus_t cublas##X##dgmm(cublasHandle_t h, cublasSideMode_t side, int m, int n, const T* a, int lda, \
                                 const T* x, int incx, T* c, int ldc) {                                      \
    return dgmm(h, side, m, n, a, lda, x, incx, c, ldc);                                                     \
  }                                                                                                          \
  cublasStatus_t cublas##X##trsm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill,             \
                                 cublasOperation_t op, cublasDiagType_t d, int m, int n, const T* alpha,     \
                                 const T* a, int lda, T* b, int ldb) {                                       \
    return trsm(h, side, fill, op, d, m, n, alpha, a, lda, b, ldb);                                          \
  }                                                                                                          \
  cublasStatus_t cublas##X##trsv(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op,              \
                                 cublasDiagType_t d, int n, const T* a, int lda, T* x, int incx) {           \
    return trsv(h, fill, op, d, n, a, lda, x, incx);                                                         \
  }                                                                                                          \
  cublasStatus_t cublas##X##symm(cublasHandle_t h, cublasSideMode_t side, cublasFillMode_t fill, int m,      \
                                 int n, const T* alpha, const T* a, int lda, const T* b, int ldb,            \
                                 const T* beta, T* c, int ldc) {                                             \
    return symm(h, side, fill, m, n, alpha, a, lda, b, ldb, beta, c, ldc);                                   \
  }                                                                                                          \
  cublasStatus_t cublas##X##symv(cublasHandle_t h, cublasFillMode_t fill, int n, const T* alpha, const T* a, \
                                 int lda, const T* x, int incx, const T* beta, T* y, int incy) {             \
    return symv(h, fill, n, alpha, a, lda, x, incx, beta, y, incy);                                          \
  }                                                                                                          \
  cublasStatus_t cublas##X##syrk(cublasHandle_t h, cublasFillMode_t fill, cublasOperation_t op, int n,       \
                                 int k, const T* alpha, const T* a, int lda, const T* beta, T* c, int ldc) { \
    return syrk(h, fill, op, n, k, alpha, a, lda, beta, c, ldc);                                             \
  }
MATRICES(S, float)
MATRICES(D, double)
MATRICES(C, cuComplex)
MATRICES(Z, cuDoubleComplex)

#define GER(name, T, conjugates)                                                                    \
  cublasStatus_t cublas##name(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, \
                              const T* y, int incy, T* a, int lda) {                                \
    return ger(h, m, n, alpha, x, incx, y, incy, a, lda, conjugates);                               \
  }
GER(Sger, float, false)
GER(Dger, double, false)
GER(Cgeru, cuComplex, false)
GER(Cgerc, cuComplex, true)
GER(Zgeru, cuDoubleComplex, false)
GER(Zgerc, cuDoubleComplex, true)
