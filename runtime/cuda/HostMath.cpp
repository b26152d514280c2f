// Functions that nvcc lets host code use too and that the host's own library lacks.
#include <algorithm>
#include <cmath>

// clang-format off
#define BOTH(R, A, B) \
  R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; } \
  R max(A a, B b) { return (R)a < (R)b ? (R)b : (R)a; }
BOTH(int, int, int) BOTH(unsigned, unsigned, unsigned) BOTH(unsigned, int, unsigned) BOTH(unsigned, unsigned, int)
BOTH(long, long, long) BOTH(unsigned long, unsigned long, unsigned long)
BOTH(unsigned long, long, unsigned long) BOTH(unsigned long, unsigned long, long)
BOTH(long long, long long, long long) BOTH(unsigned long long, unsigned long long, unsigned long long)
BOTH(unsigned long long, long long, unsigned long long) BOTH(unsigned long long, unsigned long long, long long)
#undef BOTH
// As fmin and fmax: a number where one operand is none.
float min(float a, float b) { return std::fmin(a, b); }
float max(float a, float b) { return std::fmax(a, b); }
double min(double a, double b) { return std::fmin(a, b); }
double max(double a, double b) { return std::fmax(a, b); }
double min(float a, double b) { return std::fmin(double(a), b); }
double max(float a, double b) { return std::fmax(double(a), b); }
double min(double a, float b) { return std::fmin(a, double(b)); }
double max(double a, float b) { return std::fmax(a, double(b)); }
// clang-format on
