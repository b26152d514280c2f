// Arrays in files: NumPy's .npy (C order, little endian) and raw bytes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hone::device {

struct NpyArray {
  std::string type;             // as NumPy calls it: "f4", "i8", "u1"; "" for raw bytes
  std::vector<uint64_t> shape;  // empty: one value
  std::vector<uint8_t> bytes;
  uint64_t elements() const;
};

unsigned npyElementBytes(
    const std::string& type);  // 0 when the type is none of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8

// Both throw hone::Error that names the file. A name that does not end in .npy is raw bytes.
NpyArray readArray(const std::string& path);
void writeArray(const std::string& path, const NpyArray& array);

}  // namespace hone::device
