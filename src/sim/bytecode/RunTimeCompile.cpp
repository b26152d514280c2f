#include "sim/bytecode/RunTimeCompile.h"

#include "sim/bytecode/ByteStream.h"

namespace hone::sim {

namespace {

// The version of the bytes: it changes with what transfer writes.
constexpr uint64_t requestMagic = 0x3171657272656e6full, answerMagic = 0x31736e61656e6f68ull;

template <class IO, class R>
void transferRequest(IO& io, R& r) {
  io.text(r.name);
  io.text(r.source);
  io.list(r.headers, [&](auto& h) {
    io.text(h.name);
    io.text(h.text);
  });
  io.list(r.options, [&](auto& o) { io.text(o); });
  io.list(r.nameExpressions, [&](auto& e) { io.text(e); });
}

template <class IO, class A>
void transferAnswer(IO& io, A& a) {
  io.value(a.status);
  io.text(a.log);
  io.text(a.architecture);
  io.plain(a.bundle);
  io.list(a.kernels, [&](auto& k) { io.text(k); });
  io.list(a.nameFound, [&](auto& n) { io.text(n); });
}

void expectMagic(Reader& r, uint64_t expected) {
  uint64_t magic = 0;
  r.value(magic);
  if (magic != expected) throw Error("the program and hone are of different versions; build it again", 1);
}

}  // namespace

std::vector<uint8_t> write(const CompileRequest& request) {
  Writer w;
  w.value(requestMagic);
  transferRequest(w, request);
  return std::move(w.bytes);
}

CompileRequest readCompileRequest(const std::vector<uint8_t>& bytes) {
  Reader r(bytes, bytes.size());
  expectMagic(r, requestMagic);
  CompileRequest request;
  transferRequest(r, request);
  return request;
}

std::vector<uint8_t> write(const CompileAnswer& answer) {
  Writer w;
  w.value(answerMagic);
  transferAnswer(w, answer);
  return std::move(w.bytes);
}

CompileAnswer readCompileAnswer(const std::vector<uint8_t>& bytes) {
  Reader r(bytes, bytes.size());
  expectMagic(r, answerMagic);
  CompileAnswer answer;
  transferAnswer(r, answer);
  return answer;
}

}  // namespace hone::sim
