// The byte code as a file.
#include <cstring>

#include "ir/Error.h"
#include "sim/bytecode/ByteStream.h"
#include "sim/bytecode/Program.h"

namespace hone::sim {

namespace {

constexpr char programMagic[8] = {'h', 'o', 'n', 'e', 's', 'i', 'm', '\n'};
constexpr uint32_t version = 2;

// One description for both directions: `io` is a Writer or a Reader.
template <class IO, class P>
void transferProgram(IO& io, P& p) {
  io.text(p.kernel);
  io.value(p.isOpenCL);
  io.plain(p.code);
  io.plain(p.locations);
  io.list(p.files, [&](auto& s) { io.text(s); });
  io.plain(p.constants);
  io.list(p.parameters, [&](auto& x) {
    io.text(x.name);
    io.value(x.size);
    io.value(x.offset);
    io.value(x.isPointer);
    io.value(x.isSharedPointer);
    io.value(x.isConst);
    io.value(x.isRestrict);
    io.value(x.element);
    io.value(x.elementBytes);
    io.text(x.typeText);
    io.plain(x.leaves);
  });
  io.list(p.uniforms, [&](auto& u) {
    io.value(u.first);
    io.value(u.second);
  });
  io.list(p.globals, [&](auto& g) {
    io.text(g.name);
    io.text(g.key);
    io.value(g.size);
    io.value(g.align);
    io.value(g.isConstant);
    io.value(g.isManaged);
    io.value(g.elementBytes);
    io.plain(g.init);
    io.value(g.reg);
  });
  io.list(p.shared, [&](auto& s) {
    io.text(s.name);
    io.value(s.offset);
    io.value(s.size);
    io.value(s.elementBytes);
    io.plain(s.extents);
    io.value(s.parameter);
  });
  io.list(p.locals, [&](auto& s) {
    io.text(s.name);
    io.value(s.offset);
    io.value(s.size);
    io.value(s.elementBytes);
    io.value(s.inFrame);
  });
  io.list(p.calls, [&](auto& c) {
    io.text(c.function);
    io.plain(c.argTypes);
    io.plain(c.resultTypes);
    io.plain(c.args);
    io.plain(c.results);
    io.value(c.extra);
  });
  io.list(p.subroutines, [&](auto& s) {
    io.text(s.name);
    io.value(s.begin);
    io.value(s.end);
    io.value(s.localBytes);
  });
  io.list(p.subroutineCalls, [&](auto& c) {
    io.value(c.subroutine);
    io.plain(c.narrow);
    io.plain(c.wide);
    io.value(c.firstVariable);
    io.value(c.variables);
  });
  io.value(p.stackBase);
  io.list(p.formats, [&](auto& s) { io.text(s); });
  io.list(p.variables, [&](auto& s) { io.text(s); });
  io.value(p.warpUnits);
  io.value(p.uniformUnits);
  io.value(p.staticShared);
  io.value(p.localBytes);
  io.value(p.argumentBytes);
  io.value(p.usesGridSync);
  io.value(p.usesHeap);
  io.value(p.usesSystemScope);
  io.value(p.ordersBlocks);
  io.value(p.requiredBlock);
  io.value(p.maxThreads);
}

}  // namespace

std::vector<uint8_t> write(const Program& program) {
  Writer w;
  w.value(programMagic);
  w.value(version);
  transferProgram(w, program);
  w.value(checksum(w.bytes.data(), w.bytes.size()));
  return std::move(w.bytes);
}

Program read(const std::vector<uint8_t>& bytes) {
  uint64_t sum = 0;
  if (bytes.size() < sizeof programMagic + sizeof version + sizeof sum ||
      std::memcmp(bytes.data(), programMagic, sizeof programMagic) != 0)
    throw Error("this is no file of byte code", 1);
  const size_t end = bytes.size() - sizeof sum;
  std::memcpy(&sum, bytes.data() + end, sizeof sum);
  if (sum != checksum(bytes.data(), end)) throw Error("this file of byte code is cut off or damaged", 1);
  Reader r(bytes, end);
  char m[8];
  uint32_t v;
  r.value(m);
  r.value(v);
  if (v != version)
    throw Error(
        "byte code of version " + std::to_string(v) + "; this hone reads version " + std::to_string(version),
        1);
  Program p;
  transferProgram(r, p);
  return p;
}

}  // namespace hone::sim
