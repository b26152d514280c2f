// cuRAND's functions of the host. All pseudo-random generators draw from Philox 4x32-10, so that an offset is
// a place in the sequence: the distributions are cuRAND's, the order of the numbers is not. Quasi-random ones
// are Sobol's with the numbers of Joe and Kuo.
#include <algorithm>
#include <array>
#include <cmath>

#include "../Runtime.h"
#include "cuda_stub/curand.h"

using namespace hone::cuda;

struct curandGenerator_st {
  curandRngType_t type;
  bool onHost;
  cudaStream_t stream = nullptr;
  unsigned long long seed = 0, offset = 0;
  unsigned dimensions = 1;
  bool isQuasi() const { return type >= CURAND_RNG_QUASI_DEFAULT; }
};

namespace {

std::array<uint32_t, 4> philox(uint64_t counter, uint64_t seed) {
  std::array<uint32_t, 4> c{uint32_t(counter), uint32_t(counter >> 32), 0, 0};
  uint32_t key0 = uint32_t(seed), key1 = uint32_t(seed >> 32);
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t(0xD2511F53u) * c[0], b = uint64_t(0xCD9E8D57u) * c[2];
    c = {uint32_t(b >> 32) ^ c[1] ^ key0, uint32_t(b), uint32_t(a >> 32) ^ c[3] ^ key1, uint32_t(a)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
}

// Direction numbers: degree of the polynomial, its inner coefficients, the first odd numbers.
struct Direction {
  unsigned degree, coefficients;
  std::array<uint32_t, 5> first;
};
constexpr Direction kDirections[] = {{0, 0, {}},
                                     {1, 0, {1}},
                                     {2, 1, {1, 3}},
                                     {3, 1, {1, 3, 1}},
                                     {3, 2, {1, 1, 1}},
                                     {4, 1, {1, 1, 3, 3}},
                                     {4, 4, {1, 3, 5, 13}},
                                     {5, 2, {1, 1, 5, 5, 17}},
                                     {5, 4, {1, 1, 5, 5, 5}},
                                     {5, 7, {1, 1, 7, 11, 19}}};
constexpr unsigned kMostDimensions = std::size(kDirections);

// The index-th number of a dimension, in the order of Gray's code.
uint32_t sobol(unsigned dimension, uint64_t index) {
  const Direction& d = kDirections[dimension];
  std::array<uint32_t, 33> m{};
  for (unsigned k = 1; k <= 32; ++k) {
    if (d.degree == 0) {
      m[k] = 1;
    } else if (k <= d.degree) {
      m[k] = d.first[k - 1];
    } else {
      m[k] = m[k - d.degree] ^ (m[k - d.degree] << d.degree);
      for (unsigned i = 1; i < d.degree; ++i)
        if ((d.coefficients >> (d.degree - 1 - i)) & 1) m[k] ^= m[k - i] << i;
    }
  }
  uint32_t x = 0;
  const uint64_t gray = index ^ (index >> 1);
  for (unsigned k = 1; k <= 32; ++k)
    if ((gray >> (k - 1)) & 1) x ^= m[k] << (32 - k);
  return x;
}

// The n numbers of a call, one after another; the generator goes on behind them.
class Draws {
 public:
  Draws(curandGenerator_t g, size_t n)
      : generator(*g), each(generator.isQuasi() ? n / generator.dimensions : 0) {}
  ~Draws() { generator.offset += generator.isQuasi() ? each : drawn; }
  uint32_t next() {
    const uint64_t at = drawn++;
    if (generator.isQuasi()) return sobol(unsigned(at / each), generator.offset + at % each);
    const uint64_t place = generator.offset + at;
    if (place / 4 != counter || at == 0) {
      counter = place / 4;
      four = philox(counter, generator.seed);
    }
    return four[place % 4];
  }
  float uniform() { return float(next()) * 2.3283064e-10f + 1.1641532e-10f; }
  double uniformDouble() {
    if (generator.isQuasi()) return double(next()) * 0x1p-32 + 0x1p-33;
    const uint64_t low = next(), high = next();
    return double(((high << 32) | low) >> 11) * 0x1p-53 + 0x1p-54;
  }

 private:
  curandGenerator_st& generator;
  size_t each;
  uint64_t drawn = 0, counter = ~0ull;
  std::array<uint32_t, 4> four{};
};

// Of the normal distribution: the inverse of its integral, so that one draw makes one number, as Sobol's
// numbers need.
double normalOf(double u) {
  double x = 0;  // Newton's steps from a rough start; the integral is erfc's
  const double p = std::min(u, 1 - u), t = std::sqrt(-2 * std::log(std::max(p, 1e-300)));
  x = -(t - (2.515517 + 0.802853 * t + 0.010328 * t * t) /
                (1 + 1.432788 * t + 0.189269 * t * t + 0.001308 * t * t * t));
  for (int step = 0; step < 3; ++step) {
    const double error = 0.5 * std::erfc(-x / std::sqrt(2.0)) - p;
    x -= error * std::sqrt(2 * M_PI) * std::exp(x * x / 2);
  }
  return u < 0.5 ? x : -x;
}

template <class T, class Fill> curandStatus_t generate(curandGenerator_t g, T* out, size_t n, bool inPairs,
                                                       Fill fill) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (g->isQuasi() ? n % g->dimensions : inPairs && n % 2) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  const auto work = [=] {
    Runtime& r = Runtime::get();
    std::lock_guard lock(r.mutex);
    if (r.sticky) return cudaErrorUnknown;
    r.synchronizeGuards();
    cudaError_t status = cudaSuccess;
    if (!g->onHost && n && !r.deviceBuffer(out)) {
      hone::sim::Finding f;
      f.kind = out ? hone::sim::FindingKind::WildPointer : hone::sim::FindingKind::NullPointer;
      f.party = callerPlace();
      f.party.writes = true;
      f.message = "a generator of the device is handed an address that is not the device's";
      r.report(std::move(f));
      return cudaErrorInvalidValue;
    }
    T* to = reinterpret_cast<T*>(r.resolve(out, n * sizeof(T), true, status, "random numbers"));
    if (!to) return status;
    Draws draws(g, n);
    for (size_t i = 0; i < n; ++i) to[i] = fill(draws);
    return cudaSuccess;
  };
  if (g->stream > cudaStreamPerThread && g->stream->capture) {
    g->stream->capture->nodes.push_back(work);
    return CURAND_STATUS_SUCCESS;
  }
  return work() == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

unsigned poisson(Draws& draws, double lambda) {
  if (lambda > 100)
    return unsigned(std::max(0.0, std::round(lambda + std::sqrt(lambda) * normalOf(draws.uniformDouble()))));
  double left = std::exp(lambda);  // of products of uniform numbers, counted until they fall below e^-lambda
  unsigned count = 0;
  for (left *= draws.uniformDouble(); left > 1; left *= draws.uniformDouble()) ++count;
  return count;
}

curandStatus_t create(curandGenerator_t* g, curandRngType_t type, bool onHost) {
  const bool known = type >= CURAND_RNG_PSEUDO_DEFAULT && type <= CURAND_RNG_QUASI_SOBOL32;
  if (!g || !known) return CURAND_STATUS_TYPE_ERROR;
  *g = new curandGenerator_st{type, onHost};
  return CURAND_STATUS_SUCCESS;
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* g, curandRngType_t type) {
  return create(g, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* g, curandRngType_t type) {
  return create(g, type, true);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t g) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  delete g;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetVersion(int* version) {
  *version = 10309;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t stream) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  g->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (g->isQuasi()) return CURAND_STATUS_TYPE_ERROR;
  g->seed = seed;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  g->offset = offset;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t) {
  return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t g, unsigned dimensions) {
  if (!g) return CURAND_STATUS_NOT_INITIALIZED;
  if (!g->isQuasi()) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions < 1 || dimensions > kMostDimensions) {
    std::fprintf(stderr,
                 "hone: Sobol's numbers have at most %u dimensions here, and the program asks for %u\n",
                 kMostDimensions, dimensions);
    return CURAND_STATUS_OUT_OF_RANGE;
  }
  g->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t g) {
  return g ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}

curandStatus_t curandGenerate(curandGenerator_t g, unsigned* out, size_t n) {
  return generate(g, out, n, false, [](Draws& d) { return d.next(); });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long* out, size_t n) {
  if (g && g->isQuasi()) return CURAND_STATUS_TYPE_ERROR;  // Sobol's 64-bit numbers alone
  return generate(g, out, n, false, [](Draws& d) {
    const unsigned long long low = d.next();
    return (static_cast<unsigned long long>(d.next()) << 32) | low;
  });
}
curandStatus_t curandGenerateUniform(curandGenerator_t g, float* out, size_t n) {
  return generate(g, out, n, false, [](Draws& d) { return d.uniform(); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double* out, size_t n) {
  return generate(g, out, n, false, [](Draws& d) { return d.uniformDouble(); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t g, float* out, size_t n, float mean, float deviation) {
  return generate(g, out, n, true, [=](Draws& d) { return float(mean + deviation * normalOf(d.uniform())); });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double* out, size_t n, double mean,
                                          double deviation) {
  return generate(g, out, n, true, [=](Draws& d) { return mean + deviation * normalOf(d.uniformDouble()); });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float* out, size_t n, float mean,
                                       float deviation) {
  return generate(g, out, n, true,
                  [=](Draws& d) { return float(std::exp(mean + deviation * normalOf(d.uniform()))); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double* out, size_t n, double mean,
                                             double deviation) {
  return generate(g, out, n, true,
                  [=](Draws& d) { return std::exp(mean + deviation * normalOf(d.uniformDouble())); });
}
curandStatus_t curandGeneratePoisson(curandGenerator_t g, unsigned* out, size_t n, double lambda) {
  if (g && g->isQuasi()) return CURAND_STATUS_TYPE_ERROR;
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return generate(g, out, n, false, [=](Draws& d) { return poisson(d, lambda); });
}
