// What extensions of PyTorch use of it, as far as hone is concerned.
#pragma once
#include <stdexcept>

namespace at {
enum class ScalarType { Float, Double };
struct Tensor {
  void* data;
  ScalarType type;
  long size;
  ScalarType scalar_type() const { return type; }
  long numel() const { return size; }
  template <typename T>
  T* data_ptr() const {
    return static_cast<T*>(data);
  }
};
}  // namespace at

#define AT_PRIVATE_CASE(enum_type, type, ...) \
  case enum_type: {                           \
    using scalar_t = type;                    \
    return __VA_ARGS__();                     \
  }
#define AT_DISPATCH_FLOATING_TYPES(TYPE, NAME, ...)                        \
  [&] {                                                                    \
    switch (TYPE) {                                                        \
      AT_PRIVATE_CASE(at::ScalarType::Double, double, __VA_ARGS__)         \
      AT_PRIVATE_CASE(at::ScalarType::Float, float, __VA_ARGS__)           \
      default: throw std::runtime_error(NAME " is not implemented for it"); \
    }                                                                      \
  }()
