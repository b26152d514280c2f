// Stands in for the toolkit's header of this name: random numbers in kernels by the published algorithms, XORWOW (Marsaglia 2003) and
// Philox 4x32-10 (Salmon et al. 2011), with the seeding, the order and the scaling of cuRAND.
#pragma once
#pragma GCC system_header
#include "../hone_cuda.h"
#include "curand.h"
#include "curand_jump.h"

struct curandStateXORWOW {
  unsigned int d, v[5];
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;

struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  int boxmuller_flag, boxmuller_flag_double;
  float boxmuller_extra;
  double boxmuller_extra_double;
};
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#ifdef __CUDA__
#define __hone_random __hone_device static __inline__ __attribute__((annotate("hone_body")))
#define __hone_each(f) f(curandStateXORWOW_t) f(curandStatePhilox4_32_10_t)

__hone_random unsigned int curand(curandStateXORWOW_t* state) {
  unsigned int t = state->v[0] ^ (state->v[0] >> 2);
  state->v[0] = state->v[1];
  state->v[1] = state->v[2];
  state->v[2] = state->v[3];
  state->v[3] = state->v[4];
  state->v[4] = (state->v[4] ^ (state->v[4] << 4)) ^ (t ^ (t << 1));
  state->d += 362437;
  return state->v[4] + state->d;
}

// n steps of 2 to the power of `unit`: the states that the jump polynomial names, added up.
__hone_random void __hone_jump(unsigned long long n, int unit, curandStateXORWOW_t* state) {
  unsigned int a = state->v[0], b = state->v[1], c = state->v[2], d = state->v[3], e = state->v[4];
  for (; n; n >>= 1, ++unit) {
    if (!(n & 1)) continue;
    unsigned int sa = 0, sb = 0, sc = 0, sd = 0, se = 0;
    for (int word = 0; word < 5; ++word) {
      unsigned int bits = __hone_jump_polynomials[unit][word];
      for (int i = 0; i < 32; ++i, bits >>= 1) {
        unsigned int keep = 0u - (bits & 1u);
        sa ^= a & keep;
        sb ^= b & keep;
        sc ^= c & keep;
        sd ^= d & keep;
        se ^= e & keep;
        unsigned int t = a ^ (a >> 2);
        a = b;
        b = c;
        c = d;
        d = e;
        e = (e ^ (e << 4)) ^ (t ^ (t << 1));
      }
    }
    a = sa;
    b = sb;
    c = sc;
    d = sd;
    e = se;
  }
  state->v[0] = a;
  state->v[1] = b;
  state->v[2] = c;
  state->v[3] = d;
  state->v[4] = e;
}
__hone_random void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  __hone_jump(n, 0, state);
  state->d += 362437u * (unsigned int)n;
}
__hone_random void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) { __hone_jump(n, 67, state); }

__hone_random void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                               curandStateXORWOW_t* state) {
  unsigned int low = 1099087573u * ((unsigned int)seed ^ 0xaad26b49u);
  unsigned int high = 2591861531u * ((unsigned int)(seed >> 32) ^ 0xf7dcefddu);
  state->d = 6615241u + high + low;
  state->v[0] = 123456789u + low;
  state->v[1] = 362436069u ^ low;
  state->v[2] = 521288629u + high;
  state->v[3] = 88675123u ^ high;
  state->v[4] = 5783321u + low;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

__hone_random uint4 __hone_philox(uint4 c, uint2 k) {
  for (int round = 0; round < 10; ++round) {
    unsigned int low0 = 0xD2511F53u * c.x, high0 = __umulhi(0xD2511F53u, c.x);
    unsigned int low1 = 0xCD9E8D57u * c.z, high1 = __umulhi(0xCD9E8D57u, c.z);
    c = make_uint4(high1 ^ c.y ^ k.x, low1, high0 ^ c.w ^ k.y, low0);
    k.x += 0x9E3779B9u;
    k.y += 0xBB67AE85u;
  }
  return c;
}
__hone_random void __hone_count(curandStatePhilox4_32_10_t* state, unsigned long long n) {
  unsigned long long low = ((unsigned long long)state->ctr.y << 32 | state->ctr.x) + n;
  if (low < n && ++state->ctr.z == 0) ++state->ctr.w;
  state->ctr.x = (unsigned int)low;
  state->ctr.y = (unsigned int)(low >> 32);
}
__hone_random void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  state->STATE += (unsigned int)(n & 3);
  n /= 4;
  if (state->STATE > 3) {
    ++n;
    state->STATE -= 4;
  }
  __hone_count(state, n);
  state->output = __hone_philox(state->ctr, state->key);
}
__hone_random void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  unsigned long long high = ((unsigned long long)state->ctr.w << 32 | state->ctr.z) + n;
  state->ctr.z = (unsigned int)high;
  state->ctr.w = (unsigned int)(high >> 32);
  state->output = __hone_philox(state->ctr, state->key);
}
__hone_random void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                               curandStatePhilox4_32_10_t* state) {
  state->ctr = make_uint4(0, 0, 0, 0);
  state->key = make_uint2((unsigned int)seed, (unsigned int)(seed >> 32));
  state->STATE = 0;
  state->boxmuller_flag = 0;
  state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}
__hone_random unsigned int curand(curandStatePhilox4_32_10_t* state) {
  unsigned int at = state->STATE++;
  unsigned int v = at == 0 ? state->output.x : at == 1 ? state->output.y : at == 2 ? state->output.z : state->output.w;
  if (state->STATE == 4) {
    __hone_count(state, 1);
    state->output = __hone_philox(state->ctr, state->key);
    state->STATE = 0;
  }
  return v;
}
__hone_random uint4 curand4(curandStatePhilox4_32_10_t* state) {
  uint4 old = state->output;
  __hone_count(state, 1);
  state->output = __hone_philox(state->ctr, state->key);
  uint4 next = state->output;
  if (state->STATE == 1) return make_uint4(old.y, old.z, old.w, next.x);
  if (state->STATE == 2) return make_uint4(old.z, old.w, next.x, next.y);
  if (state->STATE == 3) return make_uint4(old.w, next.x, next.y, next.z);
  return old;
}

// Numbers in (0, 1].
__hone_random float __hone_unit(unsigned int x) { return x * 2.3283064e-10f + (2.3283064e-10f / 2); }
__hone_random double __hone_unit_double(unsigned int x, unsigned int y) {
  unsigned long long bits = (unsigned long long)x ^ ((unsigned long long)y << 21);
  return bits * 1.1102230246251565e-16 + 1.1102230246251565e-16 / 2.0;
}
__hone_random float curand_uniform(curandStateXORWOW_t* state) { return __hone_unit(curand(state)); }
__hone_random float curand_uniform(curandStatePhilox4_32_10_t* state) { return __hone_unit(curand(state)); }
__hone_random double curand_uniform_double(curandStateXORWOW_t* state) {
  unsigned int x = curand(state);
  unsigned int y = curand(state);
  return __hone_unit_double(x, y);
}
__hone_random double curand_uniform_double(curandStatePhilox4_32_10_t* state) {  // of 32 bits alone
  return curand(state) * 2.3283064365386963e-10 + 2.3283064365386963e-10;
}
// Pairs of normally distributed numbers by Box and Muller's method.
__hone_random float2 __hone_normal_pair(unsigned int x, unsigned int y) {
  float angle = y * (2.3283064e-10f * 6.2831855f) + (2.3283064e-10f * 6.2831855f) / 2;
  float radius = sqrtf(-2.0f * logf(__hone_unit(x)));
  float2 pair;
  __sincosf(angle, &pair.x, &pair.y);
  pair.x *= radius;
  pair.y *= radius;
  return pair;
}
__hone_random double2 __hone_normal_pair_double(unsigned int x0, unsigned int x1, unsigned int y0, unsigned int y1) {
  unsigned long long bits = (unsigned long long)y0 ^ ((unsigned long long)y1 << 21);
  double angle = bits * (1.1102230246251565e-16 * 2.0) + 1.1102230246251565e-16;
  double radius = sqrt(-2.0 * log(__hone_unit_double(x0, x1)));
  double2 pair;
  sincospi(angle, &pair.x, &pair.y);
  pair.x *= radius;
  pair.y *= radius;
  return pair;
}

#define __hone_normal(S) \
  __hone_random float2 curand_normal2(S* state) { \
    unsigned int x = curand(state); \
    unsigned int y = curand(state); \
    return __hone_normal_pair(x, y); \
  } \
  __hone_random float curand_normal(S* state) { \
    if (state->boxmuller_flag) { \
      state->boxmuller_flag = 0; \
      return state->boxmuller_extra; \
    } \
    float2 pair = curand_normal2(state); \
    state->boxmuller_extra = pair.y; \
    state->boxmuller_flag = 1; \
    return pair.x; \
  } \
  __hone_random double2 curand_normal2_double(S* state) { \
    unsigned int x0 = curand(state), x1 = curand(state); \
    unsigned int y0 = curand(state), y1 = curand(state); \
    return __hone_normal_pair_double(x0, x1, y0, y1); \
  } \
  __hone_random double curand_normal_double(S* state) { \
    if (state->boxmuller_flag_double) { \
      state->boxmuller_flag_double = 0; \
      return state->boxmuller_extra_double; \
    } \
    double2 pair = curand_normal2_double(state); \
    state->boxmuller_extra_double = pair.y; \
    state->boxmuller_flag_double = 1; \
    return pair.x; \
  } \
  __hone_random float curand_log_normal(S* state, float mean, float stddev) { \
    return expf(mean + stddev * curand_normal(state)); \
  } \
  __hone_random float2 curand_log_normal2(S* state, float mean, float stddev) { \
    float2 pair = curand_normal2(state); \
    return make_float2(expf(mean + stddev * pair.x), expf(mean + stddev * pair.y)); \
  } \
  __hone_random double curand_log_normal_double(S* state, double mean, double stddev) { \
    return exp(mean + stddev * curand_normal_double(state)); \
  }
__hone_each(__hone_normal)
#undef __hone_normal

__hone_random float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  uint4 x = curand4(state);
  return make_float4(__hone_unit(x.x), __hone_unit(x.y), __hone_unit(x.z), __hone_unit(x.w));
}
__hone_random double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  uint4 x = curand4(state);
  return make_double2(__hone_unit_double(x.x, x.y), __hone_unit_double(x.z, x.w));
}
__hone_random float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  uint4 x = curand4(state);
  float2 first = __hone_normal_pair(x.x, x.y);
  float2 second = __hone_normal_pair(x.z, x.w);
  return make_float4(first.x, first.y, second.x, second.y);
}
#undef __hone_each
#undef __hone_random
#endif
