// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include <math.h>

#include <complex>
#include <ostream>

#include "../../hone_cuda.h"

namespace thrust {

template <class T> struct complex {
  typedef T value_type;
  T re, im;
  __hone_both complex(const T& re = T(), const T& im = T()) : re(re), im(im) {}
  complex(const complex&) = default;
  template <class U> __hone_both complex(const complex<U>& z) : re(z.real()), im(z.imag()) {}
  complex(const std::complex<T>& z) : re(z.real()), im(z.imag()) {}
  complex& operator=(const complex&) = default;
  template <class U> __hone_both complex& operator=(const complex<U>& z) {
    re = z.real();
    im = z.imag();
    return *this;
  }
  __hone_both complex& operator=(const T& x) {
    re = x;
    im = T();
    return *this;
  }
  __hone_both T real() const { return re; }
  __hone_both T imag() const { return im; }
  __hone_both void real(T x) { re = x; }
  __hone_both void imag(T x) { im = x; }
  operator std::complex<T>() const { return std::complex<T>(re, im); }
  template <class U> __hone_both complex& operator+=(const U& z) { return *this = *this + z; }
  template <class U> __hone_both complex& operator-=(const U& z) { return *this = *this - z; }
  template <class U> __hone_both complex& operator*=(const U& z) { return *this = *this * z; }
  template <class U> __hone_both complex& operator/=(const U& z) { return *this = *this / z; }
};

template <class T> __hone_both complex<T> operator+(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.re + b.re, a.im + b.im);
}
template <class T> __hone_both complex<T> operator-(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.re - b.re, a.im - b.im);
}
template <class T> __hone_both complex<T> operator*(const complex<T>& a, const complex<T>& b) {
  return complex<T>(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
// Scaled, so that squares neither overflow nor vanish.
template <class T> __hone_both complex<T> operator/(const complex<T>& a, const complex<T>& b) {
  T s = (b.re < 0 ? -b.re : b.re) + (b.im < 0 ? -b.im : b.im), o = T(1) / s;
  T ar = a.re * o, ai = a.im * o, br = b.re * o, bi = b.im * o;
  T n = T(1) / (br * br + bi * bi);
  return complex<T>((ar * br + ai * bi) * n, (ai * br - ar * bi) * n);
}
#define __hone_complex_with_number(op)                                                                        \
  template <class T> __hone_both complex<T> operator op(const complex<T>& a, const T& b) { return a op complex<T>(b); } \
  template <class T> __hone_both complex<T> operator op(const T& a, const complex<T>& b) { return complex<T>(a) op b; }
__hone_complex_with_number(+)
__hone_complex_with_number(-)
__hone_complex_with_number(*)
#undef __hone_complex_with_number
template <class T> __hone_both complex<T> operator/(const complex<T>& a, const T& b) { return complex<T>(a.re / b, a.im / b); }
template <class T> __hone_both complex<T> operator/(const T& a, const complex<T>& b) { return complex<T>(a) / b; }
template <class T> __hone_both complex<T> operator-(const complex<T>& a) { return complex<T>(-a.re, -a.im); }
template <class T> __hone_both complex<T> operator+(const complex<T>& a) { return a; }
template <class T> __hone_both bool operator==(const complex<T>& a, const complex<T>& b) { return a.re == b.re && a.im == b.im; }
template <class T> __hone_both bool operator!=(const complex<T>& a, const complex<T>& b) { return !(a == b); }

template <class T> __hone_both T norm(const complex<T>& z) { return z.re * z.re + z.im * z.im; }
template <class T> __hone_both T abs(const complex<T>& z) { return ::hypot(z.re, z.im); }
template <class T> __hone_both T arg(const complex<T>& z) { return ::atan2(z.im, z.re); }
template <class T> __hone_both complex<T> conj(const complex<T>& z) { return complex<T>(z.re, -z.im); }
template <class T> __hone_both complex<T> polar(const T& r, const T& angle = T()) {
  return complex<T>(r * ::cos(angle), r * ::sin(angle));
}
template <class T> __hone_both complex<T> exp(const complex<T>& z) { return polar(T(::exp(z.re)), z.im); }
template <class T> __hone_both complex<T> log(const complex<T>& z) { return complex<T>(::log(abs(z)), arg(z)); }
template <class T> __hone_both complex<T> sqrt(const complex<T>& z) { return polar(T(::sqrt(abs(z))), arg(z) / T(2)); }
template <class T> __hone_both complex<T> pow(const complex<T>& z, const complex<T>& e) { return exp(log(z) * e); }
template <class T> __hone_both complex<T> pow(const complex<T>& z, const T& e) { return exp(log(z) * e); }
template <class T> __hone_both complex<T> sin(const complex<T>& z) {
  return complex<T>(::sin(z.re) * ::cosh(z.im), ::cos(z.re) * ::sinh(z.im));
}
template <class T> __hone_both complex<T> cos(const complex<T>& z) {
  return complex<T>(::cos(z.re) * ::cosh(z.im), -(::sin(z.re) * ::sinh(z.im)));
}
template <class T> std::ostream& operator<<(std::ostream& out, const complex<T>& z) {
  return out << '(' << z.real() << ',' << z.imag() << ')';
}

}  // namespace thrust
