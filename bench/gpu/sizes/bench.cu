// Times what hone wrote against the original at sizes of the command line: original, written, original again, in turn.
//   bench KIND A[xB[xC]] ...
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" void run_original(float*, float*, float*, int, int, int);
extern "C" void run_tuned(float*, float*, float*, int, int, int);

static void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "bench: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  const char* kind = argv[1];
  cudaEvent_t begin, end;
  check(cudaEventCreate(&begin), "event");
  check(cudaEventCreate(&end), "event");
  for (int arg = 2; arg < argc; ++arg) {
    int p = 0, q = 1, r = 1;
    std::sscanf(argv[arg], "%dx%dx%d", &p, &q, &r);
    size_t na = 0, nb = 1, nc = 0;
    if (!std::strcmp(kind, "mm")) na = size_t(p) * r, nb = size_t(r) * q, nc = size_t(p) * q;
    if (!std::strcmp(kind, "mv")) na = size_t(p) * q, nb = p, nc = q;
    if (!std::strcmp(kind, "tp")) na = size_t(p) * q, nc = na;
    if (!std::strcmp(kind, "rd")) na = p, nb = 2048, nc = 1;
    const size_t bytes = (na + nb + nc) * 4;
    const int sets = int(std::min<size_t>(64, std::max<size_t>(1, (180u << 20) / bytes + 1)));
    std::vector<float*> a(sets), b(sets), c(sets);
    std::vector<float> fill(std::max(na, nb));
    for (size_t i = 0; i < fill.size(); ++i) fill[i] = (float(i * 7 % 17) - 8) / 8;
    for (int s = 0; s < sets; ++s) {
      check(cudaMalloc(&a[s], na * 4), "malloc");
      check(cudaMalloc(&b[s], nb * 4), "malloc");
      check(cudaMalloc(&c[s], nc * 4), "malloc");
      check(cudaMemcpy(a[s], fill.data(), na * 4, cudaMemcpyHostToDevice), "copy");
      check(cudaMemcpy(b[s], fill.data(), nb * 4, cudaMemcpyHostToDevice), "copy");
    }
    using Run = void (*)(float*, float*, float*, int, int, int);
    // The results of both.
    std::vector<float> first(nc), second(nc);
    check(cudaMemset(c[0], 0xff, nc * 4), "poison");
    run_original(a[0], b[0], c[0], p, q, r);
    check(cudaMemcpy(first.data(), c[0], nc * 4, cudaMemcpyDeviceToHost), "original");
    check(cudaMemset(c[0], 0xff, nc * 4), "poison");
    run_tuned(a[0], b[0], c[0], p, q, r);
    check(cudaMemcpy(second.data(), c[0], nc * 4, cudaMemcpyDeviceToHost), "tuned");
    double most = 0, error = 0;
    bool nan = false;
    for (size_t i = 0; i < nc; ++i) {
      most = std::max(most, double(std::fabs(first[i])));
      error = std::max(error, double(std::fabs(first[i] - second[i])));
      nan = nan || std::isnan(second[i]) || std::isnan(first[i]);
    }
    int at = 0;
    auto time = [&](Run run, int launches) {
      check(cudaEventRecord(begin), "record");
      for (int i = 0; i < launches; ++i, at = (at + 1) % sets) run(a[at], b[at], c[at], p, q, r);
      check(cudaEventRecord(end), "record");
      check(cudaEventSynchronize(end), "run");
      float ms = 0;
      check(cudaEventElapsedTime(&ms, begin, end), "elapsed");
      return double(ms) * 1000 / launches;
    };
    const double probe = std::max(0.5, std::max(time(run_original, 3), time(run_original, 3)));
    const int launches = std::max(sets > 8 ? 8 : 4, std::min(200, int(2000 / probe)));
    const int rounds = probe * launches > 20000 ? 9 : 25;
    std::vector<double> x, y, z;
    time(run_tuned, launches);
    for (int i = 0; i < rounds; ++i) {
      x.push_back(time(run_original, launches));
      y.push_back(time(run_tuned, launches));
      z.push_back(time(run_original, launches));
    }
    auto median = [](std::vector<double> v) {
      std::sort(v.begin(), v.end());
      return v[v.size() / 2];
    };
    auto spread = [&](std::vector<double> v) {  // half the middle half
      std::sort(v.begin(), v.end());
      return (v[v.size() * 3 / 4] - v[v.size() / 4]) / 2;
    };
    std::printf("%s,%s,%.3f,%.3f,%.3f,%.3f,%.3f,%.3g,%s,%d\n", kind, argv[arg], median(x), median(z),
                median(y), spread(x), spread(y), error / std::max(most, 1e-30),
                nan                    ? "nan"
                : error <= 1e-4 * most ? "ok"
                                       : "wrong",
                launches);
    std::fflush(stdout);
    for (int s = 0; s < sets; ++s) cudaFree(a[s]), cudaFree(b[s]), cudaFree(c[s]);
  }
}
