// Instructions of PTX by which lanes exchange values, that update memory at once, or that copy to shared
// memory on the side.
#include <set>
#include <string_view>
#include <utility>

#include "frontend/AssemblyImporter.h"

namespace hone::frontend {

namespace ir = hone::ir;

// The lane that is read from, by the four kinds of shfl: c has the last lane of a segment and, from bit 8 on,
// which bits of a lane's number name the segment. Lanes that would read across its end read their own.
bool AssemblyImporter::shuffle(const Words& parts, const Words& args, const ir::TypePtr& type) {
  using enum ir::BinaryOp;
  if (args.size() != 5 || !ptx::has(parts, "sync") || type->bits != 32) return false;
  const ir::TypePtr u = ir::uint32();
  const bool up = ptx::has(parts, "up"), down = ptx::has(parts, "down"), across = ptx::has(parts, "bfly");
  const size_t bar = args[0].find('|');
  const std::string to = ptx::trimmed(args[0].substr(0, bar));
  if (bar == std::string::npos && literal(args[3]) == (up ? 0u : 0x1fu)) {
    const char* fn = up       ? "__shfl_up_sync"
                     : down   ? "__shfl_down_sync"
                     : across ? "__shfl_xor_sync"
                              : "__shfl_sync";
    const ir::TypePtr by = up || down ? u : ir::int32();
    write(to, call(fn, {read(args[4], u), read(args[1], u), read(args[2], by)}, u));
    return true;
  }
  auto held = [&](const char* name, const ir::ExprPtr& v) { return ir::ref(variable(name, v->type, v), at); };
  const ir::ExprPtr lane = held("lane", special("%laneid"));
  const ir::ExprPtr by = op(BitAnd, read(args[2], u), number(31, u));
  const ir::ExprPtr c = held("bounds", read(args[3], u));
  const ir::ExprPtr segment = held("segment", op(BitAnd, op(Shr, c, number(8, u)), number(31, u)));
  const ir::ExprPtr first = op(BitAnd, lane, segment);
  const ir::ExprPtr last = op(BitOr, first, op(BitAnd, op(BitAnd, c, number(31, u)), inverted(segment)));
  const ir::ExprPtr other = held("other", up       ? op(Sub, lane, by)
                                          : down   ? op(Add, lane, by)
                                          : across ? op(BitXor, lane, by)
                                                   : op(BitOr, first, op(BitAnd, by, inverted(segment))));
  const ir::TypePtr i = ir::int32();
  const ir::ExprPtr inside =
      ir::ref(variable("inside", ir::boolType(),
                       op(up ? Ge : Le, ir::convert(other, i, true), ir::convert(last, i, true))),
              at);
  const ir::ExprPtr from = ir::convert(either(inside, other, lane), i, true);
  write(to, call("__shfl_sync", {read(args[4], u), read(args[1], u), from}, u));
  if (bar != std::string::npos) write(ptx::trimmed(args[0].substr(bar + 1)), inside);
  return true;
}

bool AssemblyImporter::warpWide(const Words& parts, const Words& args, const ir::TypePtr& type) {
  const std::string& name = parts[0];
  const ir::TypePtr u = ir::uint32(), i = ir::int32();
  if (name == "shfl") return shuffle(parts, args, type);
  if (args.size() != 3 || !ptx::has(parts, "sync")) return false;
  if (name == "vote") {
    const ir::ExprPtr asked = ir::convert(read(args[1], ir::boolType()), i);
    const bool ballot = ptx::has(parts, "ballot"), any = ptx::has(parts, "any");
    if (!ballot && !any && !ptx::has(parts, "all")) return false;
    const char* fn = ballot ? "__ballot_sync" : any ? "__any_sync" : "__all_sync";
    const ir::ExprPtr result = call(fn, {read(args[2], u), asked}, ballot ? u : i);
    write(args[0], ballot ? result : op(ir::BinaryOp::Ne, result, number(0, i)));
    return true;
  }
  if (name == "match" && ptx::has(parts, "any")) {
    const ir::TypePtr of = ir::intType(type->bits, false);
    write(args[0], call("__match_any_sync", {read(args[2], u), read(args[1], of)}, u));
    return true;
  }
  if (name == "redux" && parts.size() == 4 && type->bits == 32) {
    static const std::set<std::string> known = {"add", "min", "max", "and", "or", "xor"};
    if (!known.contains(parts[2])) return false;
    write(args[0], call("__reduce_" + parts[2] + "_sync", {read(args[2], u), read(args[1], type)}, type));
    return true;
  }
  return false;
}

// atom gives the old value, red does not.
bool AssemblyImporter::update(const Words& parts, const Words& args, const ir::TypePtr& type) {
  const bool gives = parts[0] == "atom";
  if (guard || ptx::has(parts, "acquire") || ptx::has(parts, "release") || ptx::has(parts, "acq_rel"))
    return false;
  static const std::pair<const char*, const char*> functions[] = {
      {"add", "atomicAdd"}, {"min", "atomicMin"}, {"max", "atomicMax"},   {"and", "atomicAnd"},
      {"or", "atomicOr"},   {"xor", "atomicXor"}, {"exch", "atomicExch"}, {"cas", "atomicCAS"}};
  for (const auto& [written, fn] : functions) {
    if (!ptx::has(parts, written)) continue;
    const size_t operands = std::string_view(written) == "cas" ? 2 : 1;
    if (args.size() != operands + 1 + gives) return false;
    std::vector<ir::ExprPtr> inputs = {pointer(args[gives], type, false, ptx::isShared(parts))};
    for (size_t i = gives + 1u; i < args.size(); ++i) inputs.push_back(read(args[i], type));
    const ir::ExprPtr old = call(fn, std::move(inputs), type);
    if (gives) write(args[0], old);
    return true;
  }
  return false;
}

// Copies may end any time before they are waited for: here they are done at once.
bool AssemblyImporter::copyAside(const Words& parts, const Words& args) {
  if (parts.size() < 3 || parts[1] != "async" || ptx::has(parts, "bulk") || ptx::has(parts, "mbarrier"))
    return false;
  if (parts[2] == "commit_group" || parts[2] == "wait_group" || parts[2] == "wait_all") return true;
  if (!ptx::isShared(parts) || !ptx::has(parts, "global") || args.size() < 3 || args.size() > 4) return false;
  const auto bytes = literal(args[2]);
  if (!bytes || (*bytes != 4 && *bytes != 8 && *bytes != 16)) return false;
  const ir::TypePtr u = ir::uint32();
  const ir::ExprPtr to = pointer(args[0], u, false, true), from = pointer(args[1], u, false);
  ir::StmtList copied;
  for (uint64_t i = 0; i < *bytes / 4; ++i) {
    const ir::ExprPtr target = ir::subscript(to, {ir::intLit(int64_t(i))}, at);
    const ir::ExprPtr element = ir::subscript(from, {ir::intLit(int64_t(i))}, at);
    body.noteAccess(element, false);
    body.noteAccess(target, true);
    // Bytes beyond those that are given to it are zeros.
    const ir::ExprPtr v = args.size() == 3 ? element
                                           : either(op(ir::BinaryOp::Lt, number(4 * i, u), read(args[3], u)),
                                                    element, number(0, u));
    copied.push_back(ir::makeStmt(ir::Assign{target, std::nullopt, v, false}, at));
  }
  if (guard)
    body.emit(ir::If{guard, ir::block(std::move(copied), at), nullptr}, at);
  else
    for (ir::StmtPtr& one : copied) body.out->push_back(std::move(one));
  return true;
}

}  // namespace hone::frontend
