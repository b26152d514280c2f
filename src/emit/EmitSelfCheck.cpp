#include "emit/EmitSelfCheck.h"

#include <fmt/core.h>

#include "ir/Walk.h"

namespace hone::emit {

using namespace ir;

namespace {

// Whether every mention of the array is a plain store to one of its elements.
bool isOnlyWritten(const Kernel& kernel, const VarPtr& array) {
  const size_t named = countMentions(kernel.body, array.get());
  size_t stored = 0;
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* store = s.as<Assign>();
    const auto* place = store && !store->op ? as<Subscript>(store->place) : nullptr;
    const auto* base = place ? as<VarRef>(place->base) : nullptr;
    stored += base && base->var == array;
  });
  return named == stored && named > 0;
}

// What elements are compared as: numbers one by one, anything else byte by byte.
std::string comparedAs(const Type& element, Emitter& host, int64_t& parts) {
  parts = 1;
  const Type* number = &element;
  if (element.is(TypeKind::Vector)) {
    parts = element.lanes;
    number = element.element.get();
  }
  const bool isPlain = number->is(TypeKind::Int) || (number->is(TypeKind::Float) && number->bits >= 32);
  if (!isPlain) {
    parts = 0;  // of the element's size
    return "unsigned char";
  }
  return host.types.type(std::make_shared<Type>(*number));
}

}  // namespace

std::string selfCheckFunction(const Kernel& original, const SelfCheckNames& names, Emitter& host) {
  struct Copy {
    VarPtr array;
    std::string name, type, count, slow, fast;
    bool isOnlyWritten = false;
  };
  std::vector<Copy> copies;
  std::string params = fmt::format("dim3 {}, dim3 {}, size_t {}, cudaStream_t {}", names.grid, names.block,
                                   names.shared, names.stream);
  for (const VarPtr& p : original.params) {
    params += ", " + host.declarationOf(*p);
    if (!p->type->isPointer()) {
      if (holdsPointer(*p->type))
        host.error("a self-check needs every array as a parameter of its own, and one is held by a struct",
                   p->loc);
      continue;
    }
    if (p->type->isConst || p->type->element->is(TypeKind::Void)) continue;
    const std::string& name = host.names.of(*p);
    copies.push_back({p, name, host.types.type(p->type->element), host.names.fresh(name + "_count"),
                      host.names.fresh(name + "_original"), host.names.fresh(name + "_new"),
                      isOnlyWritten(original, p)});
  }
  bool isCooperative = false;
  walkStmts(original.body, [&](const Stmt& s) {
    const auto* barrier = s.as<Barrier>();
    isCooperative = isCooperative || (barrier && barrier->scope == SyncScope::Grid);
  });
  if (isCooperative)
    host.error("a self-check of a kernel with a grid-wide barrier is not built", original.loc);
  if (copies.empty()) host.error("a self-check needs an array that the kernel writes", original.loc);
  for (const Copy& c : copies) params += ", size_t " + c.count;
  const std::string tolerance = host.names.fresh("tolerance"), wrong = host.names.fresh("wrong"),
                    failed = host.names.fresh("failed"), compare = host.names.fresh("compare");
  std::string text = fmt::format(
      "// Runs {} and what stands for it on copies of the arrays that it writes, and compares the copies. "
      "Returns how many elements differ,\n"
      "// -1 when CUDA reports an error. Counts are in elements. Whole numbers must be equal, floats within "
      "the tolerance times the\n"
      "// largest of the array (compilers may fuse other operations in the two); NaN equals NaN alone.\n",
      names.original);
  text +=
      fmt::format("static inline long long {}({}, double {} = 1e-5) {{\n", names.function, params, tolerance);
  text += fmt::format("long long {} = 0;\nbool {} = false;\n", wrong, failed);
  text += fmt::format(
      "auto {} = [&](const auto* x, const auto* y, size_t count) {{\n"
      "double largest = 0;\n"
      "for (size_t i = 0; i < count; ++i) {{\n"
      "const double size = x[i] < 0 ? -(double)x[i] : (double)x[i];\n"
      "if (size > largest && size <= 1e300) largest = size;\n"
      "}}\n"
      "const bool whole = decltype(*x + 0)(0.5) == 0;  // no floats\n"
      "for (size_t i = 0; i < count; ++i) {{\n"
      "if (x[i] == y[i] || (x[i] != x[i] && y[i] != y[i])) continue;\n"
      "const double apart = (double)x[i] - (double)y[i];\n"
      "if (whole || !((apart < 0 ? -apart : apart) <= {} * largest)) ++{};\n"
      "}}\n"
      "}};\n",
      compare, tolerance, wrong);
  std::string slowArgs, fastArgs, release;
  for (const Copy& c : copies) {
    text += fmt::format("{0} *{1} = nullptr, *{2} = nullptr;\n", c.type, c.slow, c.fast);
    for (const std::string& copy : {c.slow, c.fast}) {
      text += fmt::format("{} |= cudaMalloc(&{}, {} * sizeof({})) != cudaSuccess;\n", failed, copy, c.count,
                          c.type);
      release += fmt::format("cudaFree({});\n", copy);
    }
  }
  auto argumentsWith = [&](bool isFast) {
    std::string list;
    for (const VarPtr& p : original.params) {
      std::string one = host.names.of(*p);
      for (const Copy& c : copies)
        if (c.array == p) one = isFast ? c.fast : c.slow;
      list += ", " + one;
    }
    return list;
  };
  text += fmt::format("if (!{}) {{\n", failed);
  for (const Copy& c : copies) {
    if (c.isOnlyWritten)
      text += fmt::format("// {} is only written: poison shows what is left out.\n", c.name);
    for (const std::string& copy : {c.slow, c.fast})
      text += c.isOnlyWritten
                  ? fmt::format("cudaMemsetAsync({}, 0xff, {} * sizeof({}), {});\n", copy, c.count, c.type,
                                names.stream)
                  : fmt::format("cudaMemcpyAsync({}, {}, {} * sizeof({}), cudaMemcpyDeviceToDevice, {});\n",
                                copy, c.name, c.count, c.type, names.stream);
  }
  text += fmt::format("{}<<<{}, {}, {}, {}>>>({});\n", names.original, names.grid, names.block, names.shared,
                      names.stream, argumentsWith(false).substr(2));
  text += fmt::format("{}({}, {}, {}, {}{});\n", names.launch, names.grid, names.block, names.shared,
                      names.stream, argumentsWith(true));
  text +=
      fmt::format("{} |= cudaStreamSynchronize({}) != cudaSuccess || cudaGetLastError() != cudaSuccess;\n",
                  failed, names.stream);
  for (const Copy& c : copies) {
    int64_t parts = 1;
    std::string number = comparedAs(*c.array->type->element, host, parts);
    std::string size = parts == 0   ? fmt::format("{} * sizeof({})", c.count, c.type)
                       : parts == 1 ? c.count
                                    : fmt::format("{} * {}", c.count, parts);
    text += fmt::format(
        "if (!{0}) {{\n{1} *x = new {1}[{2}], *y = new {1}[{2}];\n"
        "{0} |= cudaMemcpy(x, {3}, {5} * sizeof({6}), cudaMemcpyDeviceToHost) != cudaSuccess;\n"
        "{0} |= cudaMemcpy(y, {4}, {5} * sizeof({6}), cudaMemcpyDeviceToHost) != cudaSuccess;\n"
        "if (!{0}) {7}(x, y, {2});\ndelete[] x;\ndelete[] y;\n}}\n",
        failed, number, size, c.slow, c.fast, c.count, c.type, compare);
  }
  text += fmt::format("}}\n{}return {} ? -1 : {};\n}}\n", release, failed, wrong);
  return text;
}

}  // namespace hone::emit
