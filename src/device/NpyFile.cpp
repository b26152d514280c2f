#include "device/NpyFile.h"

#include <fmt/core.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "ir/Error.h"

namespace hone::device {

namespace {

constexpr char magic[] = "\x93NUMPY";
constexpr size_t magicSize = 6;

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
  throw Error(fmt::format("{}: {}", path, reason));
}

bool isNpy(const std::string& path) { return path.ends_with(".npy"); }

// The text after `key` and its colon in the header, a dictionary as Python prints it.
std::string valueOf(const std::string& header, const std::string& key, const std::string& path) {
  size_t at = header.find("'" + key + "'");
  if (at == std::string::npos) fail(path, fmt::format("the header of this .npy file has no '{}'", key));
  at = header.find(':', at) + 1;
  return header.substr(header.find_first_not_of(' ', at));
}

std::vector<uint64_t> readShape(const std::string& text, const std::string& path) {
  std::vector<uint64_t> shape;
  if (!text.starts_with('(')) fail(path, "the header of this .npy file has no shape");
  const char* at = text.data() + 1;
  const char* end = text.data() + text.size();
  while (at < end && *at != ')') {
    if (*at == ' ' || *at == ',') {
      ++at;
      continue;
    }
    uint64_t extent = 0;
    auto parsed = std::from_chars(at, end, extent);
    if (parsed.ec != std::errc()) fail(path, "the shape in the header of this .npy file is not understood");
    shape.push_back(extent);
    at = parsed.ptr;
  }
  return shape;
}

NpyArray parseNpy(const std::vector<uint8_t>& file, const std::string& path) {
  if (file.size() < 10 || std::memcmp(file.data(), magic, magicSize) != 0) fail(path, "is not a .npy file");
  unsigned version = file[6];
  size_t start = version == 1 ? 10 : 12;
  if (version < 1 || version > 3 || file.size() < start)
    fail(path, fmt::format("version {} of the .npy format is not known", version));
  size_t length = file[8] | size_t(file[9]) << 8;
  if (version > 1) length |= size_t(file[10]) << 16 | size_t(file[11]) << 24;
  if (file.size() - start < length) fail(path, "this .npy file ends in its header");
  std::string header(file.begin() + static_cast<long>(start),
                     file.begin() + static_cast<long>(start + length));

  NpyArray array;
  std::string descr = valueOf(header, "descr", path);
  char quote = descr.empty() ? ' ' : descr[0];
  size_t close = descr.find(quote, 1);
  if ((quote != '\'' && quote != '"') || close == std::string::npos)
    fail(path, "arrays of structures in .npy files are not read");
  std::string type = descr.substr(1, close - 1);
  if (type.starts_with('>'))
    fail(path, "holds big-endian numbers; convert it with .astype('<f4') or the like");
  array.type = type.find_first_of("<=|") == 0 ? type.substr(1) : type;
  if (array.type == "b1") array.type = "u1";
  unsigned bytes = npyElementBytes(array.type);
  if (bytes == 0)
    fail(path, fmt::format("holds elements of type '{}'; f2, f4, f8, i1 to i8 and u1 to u8 are read", type));
  if (valueOf(header, "fortran_order", path).starts_with("True"))
    fail(path, "is in Fortran order; save it with numpy.ascontiguousarray");
  array.shape = readShape(valueOf(header, "shape", path), path);
  uint64_t wanted = bytes;
  for (uint64_t extent : array.shape)
    if (__builtin_mul_overflow(wanted, extent, &wanted))
      fail(path, "the shape in the header of this .npy file is larger than any memory");
  if (file.size() - start - length != wanted)
    fail(path,
         fmt::format("has {} bytes of data and its shape asks for {}", file.size() - start - length, wanted));
  array.bytes.assign(file.begin() + static_cast<long>(start + length), file.end());
  return array;
}

}  // namespace

uint64_t NpyArray::elements() const {
  uint64_t count = 1;
  for (uint64_t extent : shape) count *= extent;
  return count;
}

unsigned npyElementBytes(const std::string& type) {
  if (type.size() != 2 || std::strchr("fiu", type[0]) == nullptr) return 0;
  unsigned bytes = static_cast<unsigned>(type[1] - '0');
  bool known = bytes == 2 || bytes == 4 || bytes == 8 || (bytes == 1 && type[0] != 'f');
  return known ? bytes : 0;
}

NpyArray readArray(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) fail(path, "is a directory");
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error))
    fail(path, "is a pipe or a device; hone reads files");
  std::ifstream in(path, std::ios::binary);
  if (!in) fail(path, fmt::format("cannot be read: {}", std::strerror(errno)));
  std::vector<uint8_t> bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (isNpy(path)) return parseNpy(bytes, path);
  NpyArray array;
  array.shape = {bytes.size()};
  array.bytes = std::move(bytes);
  return array;
}

void writeArray(const std::string& path, const NpyArray& array) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  if (!out) fail(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  if (isNpy(path)) {
    std::string type = array.type.empty() ? "u1" : array.type;
    std::string shape;
    for (uint64_t extent : array.shape) shape += fmt::format("{}, ", extent);
    if (array.shape.size() > 1) shape.resize(shape.size() - 2);
    if (array.shape.size() == 1) shape.pop_back();
    std::string header = fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}",
                                     type[1] == '1' ? '|' : '<', type, shape);
    // The data begins at a multiple of 64 bytes.
    header.append((64 - (10 + header.size() + 1) % 64) % 64, ' ').push_back('\n');
    out.write(magic, magicSize);
    const char version[] = {1, 0, static_cast<char>(header.size() & 0xff),
                            static_cast<char>(header.size() >> 8)};
    out.write(version, sizeof version);
    out << header;
  }
  out.write(reinterpret_cast<const char*>(array.bytes.data()),
            static_cast<std::streamsize>(array.bytes.size()));
  out.close();
  if (!out) fail(path, fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace hone::device
