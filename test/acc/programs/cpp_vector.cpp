// std::vector on the host with regions over data(); exceptions and strings around them.
#include <stdexcept>
#include <string>
#include <vector>
#include "acctest.h"
static int work(std::vector<int>& v) {
  if (v.empty()) throw std::runtime_error("empty");
  int* p = v.data();
  const int n = static_cast<int>(v.size());
  int sum = 0;
#pragma acc parallel loop copy(p[0 : n]) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    p[i] = 2 * p[i] + i;
    sum += p[i];
  }
  return sum;
}
int main() {
  FOR_SIZES(n) {
    std::vector<int> v(static_cast<size_t>(n), 3);
    try {
      std::string s = "sum ";
      s += std::to_string(work(v));
      printf("%s\n", s.c_str());
    } catch (const std::exception& e) {
      printf("%s\n", e.what());
    }
    show("v", v.data(), n);
  }
}
