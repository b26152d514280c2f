// Writing values as bytes and reading them back; private to the files of byte code.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "ir/Error.h"

namespace hone::sim {

inline uint64_t checksum(const uint8_t* data, size_t size) {  // FNV-1a
  uint64_t h = 0xcbf29ce484222325ull;
  for (size_t k = 0; k < size; ++k) h = (h ^ data[k]) * 0x100000001b3ull;
  return h;
}

class Writer {
 public:
  std::vector<uint8_t> bytes;
  template <class T> void value(const T& v)
    requires std::is_trivially_copyable_v<T>
  {
    const auto* p = reinterpret_cast<const uint8_t*>(&v);
    bytes.insert(bytes.end(), p, p + sizeof v);
  }
  void text(const std::string& s) {
    value(uint64_t(s.size()));
    bytes.insert(bytes.end(), s.begin(), s.end());
  }
  template <class T, class F> void list(const std::vector<T>& v, F&& each) {
    value(uint64_t(v.size()));
    for (const T& x : v) each(x);
  }
  template <class T> void plain(const std::vector<T>& v) {
    list(v, [&](const T& x) { value(x); });
  }
};

class Reader {
 public:
  explicit Reader(const std::vector<uint8_t>& b, size_t end) : bytes(b), end(end) {}
  size_t at = 0;
  template <class T> void value(T& v)
    requires std::is_trivially_copyable_v<T>
  {
    need(sizeof v);
    std::memcpy(&v, bytes.data() + at, sizeof v);
    at += sizeof v;
  }
  void text(std::string& s) {
    uint64_t n;
    value(n);
    need(n);
    s.assign(reinterpret_cast<const char*>(bytes.data()) + at, n);
    at += n;
  }
  template <class T, class F> void list(std::vector<T>& v, F&& each) {
    uint64_t n;
    value(n);
    if (n > end - at) fail();
    v.resize(n);
    for (T& x : v) each(x);
  }
  template <class T> void plain(std::vector<T>& v) {
    list(v, [&](T& x) { value(x); });
  }

 private:
  const std::vector<uint8_t>& bytes;
  size_t end;
  [[noreturn]] static void fail() { throw Error("this file of byte code is cut off or damaged", 1); }
  void need(uint64_t n) const {
    if (n > end - at) fail();
  }
};

}  // namespace hone::sim
