// Stands in for the toolkit's header of this name.
#pragma once
#pragma GCC system_header
#include "../hone_cuda.h"

typedef float2 cuFloatComplex;
__hone_make float cuCrealf(cuFloatComplex a) { return a.x; }
__hone_make float cuCimagf(cuFloatComplex a) { return a.y; }
__hone_make cuFloatComplex make_cuFloatComplex(float r, float i) { return make_float2(r, i); }
__hone_make cuFloatComplex cuConjf(cuFloatComplex a) { return make_float2(a.x, -a.y); }
__hone_make cuFloatComplex cuCaddf(cuFloatComplex a, cuFloatComplex b) { return make_float2(a.x + b.x, a.y + b.y); }
__hone_make cuFloatComplex cuCsubf(cuFloatComplex a, cuFloatComplex b) { return make_float2(a.x - b.x, a.y - b.y); }
__hone_make cuFloatComplex cuCmulf(cuFloatComplex a, cuFloatComplex b) { return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__hone_both cuFloatComplex cuCdivf(cuFloatComplex, cuFloatComplex);
__hone_both float cuCabsf(cuFloatComplex);
__hone_make cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) { return cuCaddf(cuCmulf(a, b), c); }
typedef double2 cuDoubleComplex;
__hone_make double cuCreal(cuDoubleComplex a) { return a.x; }
__hone_make double cuCimag(cuDoubleComplex a) { return a.y; }
__hone_make cuDoubleComplex make_cuDoubleComplex(double r, double i) { return make_double2(r, i); }
__hone_make cuDoubleComplex cuConj(cuDoubleComplex a) { return make_double2(a.x, -a.y); }
__hone_make cuDoubleComplex cuCadd(cuDoubleComplex a, cuDoubleComplex b) { return make_double2(a.x + b.x, a.y + b.y); }
__hone_make cuDoubleComplex cuCsub(cuDoubleComplex a, cuDoubleComplex b) { return make_double2(a.x - b.x, a.y - b.y); }
__hone_make cuDoubleComplex cuCmul(cuDoubleComplex a, cuDoubleComplex b) { return make_double2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
__hone_both cuDoubleComplex cuCdiv(cuDoubleComplex, cuDoubleComplex);
__hone_both double cuCabs(cuDoubleComplex);
__hone_make cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) { return cuCadd(cuCmul(a, b), c); }
typedef cuFloatComplex cuComplex;
__hone_make cuComplex make_cuComplex(float r, float i) { return make_float2(r, i); }
__hone_make cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }
__hone_make cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return make_float2((float)a.x, (float)a.y); }
