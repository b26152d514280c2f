#include "sim/bytecode/Bundle.h"

#include "sim/bytecode/ByteStream.h"

namespace hone::sim {

namespace {

constexpr char bundleMagic[8] = {'h', 'o', 'n', 'e', 'b', 'n', 'd', '1'};

template <class IO, class B>
void transferBundle(IO& io, B& b) {
  io.text(b.source);
  io.list(b.kernels, [&](auto& k) {
    io.text(k.linkageName);
    io.text(k.name);
    io.text(k.reason);
    io.text(k.file);
    io.value(k.line);
    io.plain(k.program);
  });
}

}  // namespace

std::vector<uint8_t> writeBundle(const Bundle& bundle) {
  Writer body;
  transferBundle(body, bundle);
  Writer w;
  w.value(bundleMagic);
  w.value(uint64_t(body.bytes.size()));
  w.bytes.insert(w.bytes.end(), body.bytes.begin(), body.bytes.end());
  return std::move(w.bytes);
}

Bundle readBundle(const uint8_t* data) {
  if (std::memcmp(data, bundleMagic, sizeof bundleMagic) != 0)
    throw Error("the program carries no kernels that hone can read", 1);
  uint64_t size = 0;
  std::memcpy(&size, data + sizeof bundleMagic, sizeof size);
  const uint8_t* first = data + sizeof bundleMagic + sizeof size;
  const std::vector<uint8_t> bytes(first, first + size);
  Reader r(bytes, bytes.size());
  Bundle b;
  transferBundle(r, b);
  return b;
}

}  // namespace hone::sim
