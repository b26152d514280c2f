#include "sim/bytecode/Bundle.h"

#include <algorithm>

#include "sim/bytecode/ByteStream.h"

namespace hone::sim {

namespace {

constexpr size_t magicBytes = 8;
constexpr char bundleMagic[] = "honebnd2", linkedMagic[] = "honelnk1";

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
  io.list(b.sharedByName, [&](auto& name) { io.text(name); });
  io.text(b.link.id);
  io.text(b.link.directory);
  io.list(b.link.flags, [&](auto& flag) { io.text(flag); });
  io.list(b.link.files, [&](auto& file) {
    io.text(file.path);
    io.text(file.hash);
  });
}

// A magic number, the length of what follows and its sum, which tells it from the magic number of a program
// that reads such things.
std::vector<uint8_t> framed(const char* magic, const Writer& body) {
  Writer w;
  w.bytes.assign(magic, magic + magicBytes);
  w.value(uint64_t(body.bytes.size()));
  w.value(checksum(body.bytes.data(), body.bytes.size()));
  w.bytes.insert(w.bytes.end(), body.bytes.begin(), body.bytes.end());
  return std::move(w.bytes);
}

// `most`: bytes that there are at `data`. Empty: no frame stands there.
std::vector<uint8_t> unframed(const char* magic, const uint8_t* data, uint64_t most) {
  constexpr size_t head = magicBytes + 16;
  if (most < head || std::memcmp(data, magic, magicBytes) != 0) return {};
  uint64_t size = 0, sum = 0;
  std::memcpy(&size, data + magicBytes, sizeof size);
  std::memcpy(&sum, data + magicBytes + 8, sizeof sum);
  if (size > most - head || checksum(data + head, size) != sum) return {};
  return {data + head, data + head + size};
}

template <class Take>
void findFrames(const char* magic, const std::vector<uint8_t>& bytes, const Take& take) {
  for (auto at = bytes.begin();; ++at) {
    at = std::search(at, bytes.end(), magic, magic + magicBytes);
    if (at == bytes.end()) return;
    const std::vector<uint8_t> body = unframed(magic, &*at, uint64_t(bytes.end() - at));
    if (!body.empty()) take(body);
  }
}

Bundle bundleIn(const std::vector<uint8_t>& body) {
  Reader r(body, body.size());
  Bundle b;
  transferBundle(r, b);
  return b;
}

std::vector<Bundle> bundlesIn(const std::vector<uint8_t>& body) {
  Reader r(body, body.size());
  std::vector<Bundle> list;
  r.list(list, [&](Bundle& b) { transferBundle(r, b); });
  return list;
}

constexpr uint64_t anyLength = uint64_t(1) << 40;

}  // namespace

std::vector<uint8_t> writeBundle(const Bundle& bundle) {
  Writer body;
  transferBundle(body, bundle);
  return framed(bundleMagic, body);
}

Bundle readBundle(const uint8_t* data) {
  const std::vector<uint8_t> body = unframed(bundleMagic, data, anyLength);
  if (body.empty()) throw Error("the program carries no kernels that hone can read", 1);
  return bundleIn(body);
}

std::vector<Bundle> findBundles(const std::vector<uint8_t>& bytes) {
  std::vector<Bundle> out;
  findFrames(bundleMagic, bytes, [&](const std::vector<uint8_t>& body) { out.push_back(bundleIn(body)); });
  return out;
}

std::vector<uint8_t> writeLinkedBundles(const std::vector<Bundle>& bundles) {
  Writer body;
  body.list(bundles, [&](const Bundle& b) { transferBundle(body, b); });
  return framed(linkedMagic, body);
}

std::vector<Bundle> readLinkedBundles(const uint8_t* data) {
  const std::vector<uint8_t> body = unframed(linkedMagic, data, anyLength);
  if (body.empty()) throw Error("the program's linked kernels are not what hone can read", 1);
  return bundlesIn(body);
}

std::vector<Bundle> findLinkedBundles(const std::vector<uint8_t>& bytes) {
  std::vector<Bundle> out;
  findFrames(linkedMagic, bytes, [&](const std::vector<uint8_t>& body) {
    for (Bundle& b : bundlesIn(body)) out.push_back(std::move(b));
  });
  return out;
}

}  // namespace hone::sim
