// Level 1: vectors.
#include <algorithm>
#include <cmath>
#include <utility>

#include "Blas.h"

using namespace hone::cuda::blas;

namespace {

template <class T> cublasStatus_t axpy(cublasHandle_t h, long long n, const T* alpha, const T* x,
                                       long long incx, T* y, long long incy) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas axpy");
    const T* factor = call.scalar(alpha, false);
    const T* from = call.operand(x, vectorExtent(n, incx), false);
    T* to = call.operand(y, vectorExtent(n, incy), true);
    for (long long i = 0; call.ok() && i < n; ++i)
      store(to[at(i, n, incy)], load(*factor) * load(from[at(i, n, incx)]) + load(to[at(i, n, incy)]));
    return call.status;
  });
}

template <class T> cublasStatus_t copyOrSwap(cublasHandle_t h, long long n, const T* x, long long incx, T* y,
                                             long long incy, bool swaps) {
  return onStreamOf(h, [=] {
    Call call(h, swaps ? "cublas swap" : "cublas copy");
    T* first = const_cast<T*>(call.operand(x, vectorExtent(n, incx), swaps));
    T* second = call.operand(y, vectorExtent(n, incy), true);
    for (long long i = 0; call.ok() && i < n; ++i)
      if (swaps)
        std::swap(first[at(i, n, incx)], second[at(i, n, incy)]);
      else
        second[at(i, n, incy)] = first[at(i, n, incx)];
    return call.status;
  });
}

template <class T> cublasStatus_t scal(cublasHandle_t h, long long n, const T* alpha, T* x, long long incx) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas scal");
    const T* factor = call.scalar(alpha, false);
    T* to = call.operand(x, incx > 0 ? vectorExtent(n, incx) : 0, true);
    for (long long i = 0; call.ok() && to && i < n; ++i)
      store(to[i * incx], load(*factor) * load(to[i * incx]));
    return call.status;
  });
}

template <class T> T size(T x) { return std::abs(x); }
template <class T> T size(std::complex<T> x) { return std::abs(x.real()) + std::abs(x.imag()); }

double square(double x, double scale) { return x / scale * (x / scale); }
template <class T> double square(std::complex<T> x, double scale) {
  return square(x.real(), scale) + square(x.imag(), scale);
}

// Counts from 1; 0 of nothing.
template <class T, class N>
cublasStatus_t extreme(cublasHandle_t h, long long n, const T* x, long long incx, N* result, bool greatest) {
  return onStreamOf(h, [=] {
    Call call(h, greatest ? "cublas amax" : "cublas amin");
    const T* from = call.operand(x, incx > 0 ? vectorExtent(n, incx) : 0, false);
    N* to = call.scalar(result, true);
    if (!call.ok()) return call.status;
    long long best = 0;
    for (long long i = 1; from && i < n; ++i) {
      const auto own = size(load(from[i * incx])), other = size(load(from[best * incx]));
      if (greatest ? own > other : own < other) best = i;
    }
    *to = from ? N(best + 1) : N(0);
    return call.status;
  });
}

template <class T, class R>
cublasStatus_t norm(cublasHandle_t h, long long n, const T* x, long long incx, R* result, bool squares) {
  return onStreamOf(h, [=] {
    Call call(h, squares ? "cublas nrm2" : "cublas asum");
    const T* from = call.operand(x, incx > 0 ? vectorExtent(n, incx) : 0, false);
    R* to = call.scalar(result, true);
    if (!call.ok()) return call.status;
    double
        scale = 1,
        sum = 0;  // floats are added up as doubles; doubles are scaled where squares would overflow or vanish
    if (sizeof(R) == 8 && squares) {
      double most = 0;
      for (long long i = 0; from && i < n; ++i) most = std::max(most, double(size(load(from[i * incx]))));
      if (most > 0 && std::isfinite(most) && (most > 1e150 || most < 1e-150)) scale = most;
    }
    for (long long i = 0; from && i < n; ++i) {
      const auto value = load(from[i * incx]);
      sum += squares ? square(value, scale) : double(size(value));
    }
    *to = R(squares ? scale * std::sqrt(sum) : sum);
    return call.status;
  });
}

// Long sums are kept in doubles: a GPU adds them up in many parts, which loses less than one part of floats
// would.
template <class T> struct Wide {
  typedef double Type;
};
template <class T> struct Wide<std::complex<T>> {
  typedef std::complex<double> Type;
};

template <class T>
cublasStatus_t dot(cublasHandle_t h, long long n, const T* x, long long incx, const T* y, long long incy,
                   T* result, bool conjugates) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas dot");
    const T* first = call.operand(x, vectorExtent(n, incx), false);
    const T* second = call.operand(y, vectorExtent(n, incy), false);
    T* to = call.scalar(result, true);
    if (!call.ok()) return call.status;
    typename Wide<Number<T>>::Type sum(0);
    for (long long i = 0; i < n; ++i) {
      const typename Wide<Number<T>>::Type own = load(first[at(i, n, incx)]),
                                           other = load(second[at(i, n, incy)]);
      sum += (conjugates ? conjugate(own) : own) * other;
    }
    store(*to, Number<T>(sum));
    return call.status;
  });
}

template <class T>
cublasStatus_t rot(cublasHandle_t h, int n, T* x, int incx, T* y, int incy, const T* c, const T* s) {
  return onStreamOf(h, [=] {
    Call call(h, "cublas rot");
    T* first = call.operand(x, vectorExtent(n, incx), true);
    T* second = call.operand(y, vectorExtent(n, incy), true);
    const T *cosine = call.scalar(c, false), *sine = call.scalar(s, false);
    for (long long i = 0; call.ok() && i < n; ++i) {
      T &a = first[at(i, n, incx)], &b = second[at(i, n, incy)];
      const T turned = *cosine * a + *sine * b;
      b = *cosine * b - *sine * a;
      a = turned;
    }
    return call.status;
  });
}

}  // namespace

#define VECTORS(X, little, T, N, S)                                                                  \
  cublasStatus_t cublas##X##axpy##S(cublasHandle_t h, N n, const T* alpha, const T* x, N incx, T* y, \
                                    N incy) {                                                        \
    return axpy(h, n, alpha, x, incx, y, incy);                                                      \
  }                                                                                                  \
  cublasStatus_t cublas##X##copy##S(cublasHandle_t h, N n, const T* x, N incx, T* y, N incy) {       \
    return copyOrSwap(h, n, x, incx, y, incy, false);                                                \
  }                                                                                                  \
  cublasStatus_t cublas##X##swap##S(cublasHandle_t h, N n, T* x, N incx, T* y, N incy) {             \
    return copyOrSwap<T>(h, n, x, incx, y, incy, true);                                              \
  }                                                                                                  \
  cublasStatus_t cublas##X##scal##S(cublasHandle_t h, N n, const T* alpha, T* x, N incx) {           \
    return scal(h, n, alpha, x, incx);                                                               \
  }                                                                                                  \
  cublasStatus_t cublasI##little##amax##S(cublasHandle_t h, N n, const T* x, N incx, N* result) {    \
    return extreme(h, n, x, incx, result, true);                                                     \
  }                                                                                                  \
  cublasStatus_t cublasI##little##amin##S(cublasHandle_t h, N n, const T* x, N incx, N* result) {    \
    return extreme(h, n, x, incx, result, false);                                                    \
  }
#define NORMS(Y, T, R, N, S)                                                                \
  cublasStatus_t cublas##Y##nrm2##S(cublasHandle_t h, N n, const T* x, N incx, R* result) { \
    return norm(h, n, x, incx, result, true);                                               \
  }                                                                                         \
  cublasStatus_t cublas##Y##asum##S(cublasHandle_t h, N n, const T* x, N incx, R* result) { \
    return norm(h, n, x, incx, result, false);                                              \
  }
#define OF_ALL_TYPES(N, suffix)             \
  VECTORS(S, s, float, N, suffix)           \
  VECTORS(D, d, double, N, suffix)          \
  VECTORS(C, c, cuComplex, N, suffix)       \
  VECTORS(Z, z, cuDoubleComplex, N, suffix) \
  NORMS(S, float, float, N, suffix)         \
  NORMS(D, double, double, N, suffix)       \
  NORMS(Sc, cuComplex, float, N, suffix)    \
  NORMS(Dz, cuDoubleComplex, double, N, suffix)
OF_ALL_TYPES(int, )
OF_ALL_TYPES(int64_t, _64)

#define DOT(name, T, conjugates)                                                                   \
  cublasStatus_t cublas##name(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, \
                              T* result) {                                                         \
    return dot(h, n, x, incx, y, incy, result, conjugates);                                        \
  }
DOT(Sdot, float, false)
DOT(Ddot, double, false)
DOT(Cdotu, cuComplex, false)
DOT(Cdotc, cuComplex, true)
DOT(Zdotu, cuDoubleComplex, false)
DOT(Zdotc, cuDoubleComplex, true)

cublasStatus_t cublasSrot(cublasHandle_t h, int n, float* x, int incx, float* y, int incy, const float* c,
                          const float* s) {
  return rot(h, n, x, incx, y, incy, c, s);
}
cublasStatus_t cublasDrot(cublasHandle_t h, int n, double* x, int incx, double* y, int incy, const double* c,
                          const double* s) {
  return rot(h, n, x, incx, y, incy, c, s);
}
