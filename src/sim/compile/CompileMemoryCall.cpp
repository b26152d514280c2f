// Calls that touch memory: cache hints, vector loads and stores, atomics, copies.
#include <map>

#include "ir/Walk.h"
#include "sim/compile/Compiler.h"

namespace hone::sim {

using ir::TypeKind;

namespace {

CacheHint hintOf(std::string_view id) {
  if (id == "ldg") return CacheHint::ReadOnly;
  if (id == "ldcg" || id == "stcg") return CacheHint::L2Only;
  if (id == "ldcs" || id == "ldlu" || id == "stcs") return CacheHint::Streaming;
  if (id == "ldcv" || id == "stwt") return CacheHint::Volatile;
  return CacheHint::Default;
}

unsigned trailingNumber(std::string_view id) {
  size_t at = id.size();
  while (at > 0 && id[at - 1] >= '0' && id[at - 1] <= '9') --at;
  return at == id.size() ? 1 : unsigned(std::stoul(std::string(id.substr(at))));
}

}  // namespace

// vloadN and vload(a)_halfN: N elements from p + N * offset, of which three count as four in the aligned
// forms.
Value Compiler::loadCall(const ir::Expr& e, Reg into) {
  const auto& c = *e.as<ir::Call>();
  const std::string_view id = c.intrinsic->id;
  if (id.starts_with("vload")) {
    const unsigned n = trailingNumber(id);
    Place p = dereference(evalScalar(c.args[1]), *c.args[1]->type);
    const unsigned stride = id.starts_with("vloada") && n == 3 ? 4 : n;
    addIndex(p, c.args[0], stride * sizeOf(*p.type));
    p.origin = &e;
    current = e.loc.valid() ? e.loc : current;
    const Scalar from = scalarOf(*p.type),
                 to = scalarOf(e.type->is(TypeKind::Vector) ? *e.type->element : *e.type);
    Value v{e.type, {}};
    for (unsigned i = 0; i < n; ++i) {
      Place lane = p;
      lane.offset += int64_t(i * sizeOf(*p.type));
      v.regs.push_back(convertScalar(load(lane).regs[0], from, to));
    }
    return v;
  }
  if (id.starts_with("tex") || id.starts_with("surf")) return machineCall(e);
  Place p = dereference(evalScalar(c.args.at(0)), *c.args[0]->type);
  if (!ir::sameType(*p.type, *e.type)) p.type = e.type;
  p.origin = &e;
  p.hint = hintOf(id);
  if (p.hint == CacheHint::Volatile && p.space != MemorySpace::Shared) out.ordersBlocks = true;
  current = e.loc.valid() ? e.loc : current;
  return load(p, into);
}

Value Compiler::storeCall(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const std::string_view id = c.intrinsic->id;
  if (id.starts_with("vstore")) {
    const bool isHalf = id.find("half") != std::string_view::npos;
    std::string_view head = id;
    std::string_view rounding = "convert_rte";
    if (isHalf && id.size() > 4 && id[id.size() - 4] == '_' && id[id.size() - 3] == 'r') {
      static const std::map<std::string_view, std::string_view> modes{
          {"_rte", "convert_rte"}, {"_rtz", "convert_rtz"}, {"_rtp", "convert_rtp"}, {"_rtn", "convert_rtn"}};
      rounding = modes.at(id.substr(id.size() - 4));
      head = id.substr(0, id.size() - 4);
    }
    const unsigned n = trailingNumber(head);
    const Value v = eval(c.args[0]);
    Place p = dereference(evalScalar(c.args[2]), *c.args[2]->type);
    const unsigned stride = id.starts_with("vstorea") && n == 3 ? 4 : n;
    addIndex(p, c.args[1], stride * sizeOf(*p.type));
    p.origin = &e;
    current = e.loc.valid() ? e.loc : current;
    const ir::Type& vt = *c.args[0]->type;
    const Scalar from = scalarOf(vt.is(TypeKind::Vector) ? *vt.element : vt);
    for (unsigned i = 0; i < n; ++i) {
      Place lane = p;
      lane.offset += int64_t(i * sizeOf(*p.type));
      Reg reg = v.regs.at(i);
      if (isHalf) reg = emitPure(rounding, {from}, {reg}, {Scalar::F16}).at(0);
      store(lane, {p.type, {reg}});
    }
    return noValue();
  }
  if (id == "stwb" || id == "stcg" || id == "stcs" || id == "stwt") {
    const Value v = eval(c.args[1]);
    Place p = dereference(evalScalar(c.args[0]), *c.args[0]->type);
    p.origin = &e;
    p.hint = hintOf(id);
    current = e.loc.valid() ? e.loc : current;
    store(p, v);
    return noValue();
  }
  if (id == "memcpy" || id == "memset" || id == "pipeline_memcpy_async" || id == "group_memcpy_async" ||
      id == "async_work_group_copy" || id == "async_work_group_strided_copy")
    return copyBytes(e);
  if (id.starts_with("surf")) return machineCall(e);
  cannotRun("the function " + (c.spelling.empty() ? std::string(id) : c.spelling), e.loc);
}

// Copies of a known size move elements; those of a block are shared out among its threads, element by
// element.
Value Compiler::copyBytes(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const std::string_view id = c.intrinsic->id;
  if (id == "memcpy" || id == "memset") return machineCall(e);
  if (id == "pipeline_memcpy_async") {
    const auto bytes = ir::constantValue(c.args[2]);
    if (!bytes || (*bytes != 4 && *bytes != 8 && *bytes != 16) || c.args.size() > 3)
      cannotRun("__pipeline_memcpy_async of a size that is not 4, 8 or 16, or with a fill", e.loc);
    const ir::TypePtr unit = *bytes == 16  ? ir::vectorType(ir::uint32(), 4)
                             : *bytes == 8 ? ir::uint64()
                                           : ir::uint32();
    Place to = dereference(evalScalar(c.args[0]), *c.args[0]->type),
          from = dereference(evalScalar(c.args[1]), *c.args[1]->type);
    to.type = from.type = unit;
    to.origin = from.origin = &e;
    current = e.loc.valid() ? e.loc : current;
    store(to, load(from));
    return noValue();
  }
  // for (i = rank; i < count; i += threads) to[i * a] = from[i * b]
  const bool isGroup = id == "group_memcpy_async";
  if (isGroup && c.args.size() != 4) cannotRun("memcpy_async with a layout", e.loc);
  ir::ExprPtr to = c.args[isGroup ? 1 : 0], from = c.args[isGroup ? 2 : 1], count = c.args[isGroup ? 3 : 2];
  if (isGroup) {
    if (c.args[0]->type->spelling != "cooperative_groups::thread_block")
      cannotRun("memcpy_async by a group that is not the block", e.loc);
    const ir::TypePtr byte = ir::intType(8, false);
    to = ir::makeExpr(ir::pointerType(byte, to->type->space), ir::Cast{to}, e.loc);
    from = ir::makeExpr(ir::pointerType(byte, from->type->space), ir::Cast{from}, e.loc);
  }
  ir::ExprPtr toStep = ir::intLit(1, ir::uint64()), fromStep = toStep;
  if (id == "async_work_group_strided_copy") {
    const bool gathers = to->type->space == ir::Space::Shared;
    (gathers ? fromStep : toStep) = ir::convert(c.args[3], ir::uint64());
  }
  auto i = std::make_shared<ir::Variable>();
  i->name = "i";
  i->type = ir::uint64();
  const Reg rank = convertScalar(emitOp(Op::ThreadRank, Scalar::U32, noReg), Scalar::U32, Scalar::U64);
  Reg threads = emitOp(Op::MulI32, Scalar::U32, uniform(Uniform::BlockDimX), uniform(Uniform::BlockDimY));
  threads = emitOp(Op::MulI32, Scalar::U32, threads, uniform(Uniform::BlockDimZ));
  auto step = std::make_shared<ir::Variable>();
  step->name = "threads";
  step->type = ir::uint64();
  declare(i);
  declare(step);
  move(homes[i.get()].regs[0], rank, Scalar::U64);
  move(homes[step.get()].regs[0], convertScalar(threads, Scalar::U32, Scalar::U64), Scalar::U64);
  const ir::VarPtr index = i, stride = step;
  const ir::StmtPtr body = ir::assign(
      ir::subscript(to, {ir::binary(ir::BinaryOp::Mul, ir::ref(index), toStep)}, e.loc),
      ir::subscript(from, {ir::binary(ir::BinaryOp::Mul, ir::ref(index), fromStep)}, e.loc), e.loc);
  const ir::StmtPtr next =
      ir::makeStmt(ir::Assign{ir::ref(index), ir::BinaryOp::Add, ir::ref(stride)}, e.loc);
  loop({}, ir::binary(ir::BinaryOp::Lt, ir::ref(index), ir::convert(count, ir::uint64())), {next},
       ir::block({body}, e.loc), true);
  if (e.type->is(TypeKind::Void)) return noValue();
  return {e.type, {constant(Scalar::U64, 0)}};  // the event
}

// Atomics

Value Compiler::atomicCall(const ir::Expr& e, bool used) {
  const auto& c = *e.as<ir::Call>();
  std::string id(c.intrinsic->id);
  if (id.ends_with("_system")) out.usesSystemScope = true;
  for (const char* suffix : {"_block", "_system", "_explicit"})
    if (id.ends_with(suffix)) id.resize(id.size() - std::string_view(suffix).size());
  static const std::map<std::string, AtomicOp> ops{
      {"atomic_add", AtomicOp::Add},
      {"atomic_sub", AtomicOp::Sub},
      {"atomic_xchg", AtomicOp::Exchange},
      {"atomic_min", AtomicOp::Min},
      {"atomic_max", AtomicOp::Max},
      {"atomic_and", AtomicOp::And},
      {"atomic_or", AtomicOp::Or},
      {"atomic_xor", AtomicOp::Xor},
      {"atomic_cmpxchg", AtomicOp::CompareExchange},
      {"atomic_inc_wrap", AtomicOp::IncWrap},
      {"atomic_dec_wrap", AtomicOp::DecWrap},
      {"atomic_inc", AtomicOp::Add},
      {"atomic_dec", AtomicOp::Sub},
      {"atomic_fetch_add", AtomicOp::Add},
      {"atomic_fetch_sub", AtomicOp::Sub},
      {"atomic_fetch_or", AtomicOp::Or},
      {"atomic_fetch_xor", AtomicOp::Xor},
      {"atomic_fetch_and", AtomicOp::And},
      {"atomic_fetch_min", AtomicOp::Min},
      {"atomic_fetch_max", AtomicOp::Max},
      {"atomic_load", AtomicOp::Load},
      {"atomic_store", AtomicOp::Store},
      {"atomic_init", AtomicOp::Store},
      {"atomic_exchange", AtomicOp::Exchange},
      {"atomic_compare_exchange_strong", AtomicOp::CompareExchange},
      {"atomic_compare_exchange_weak", AtomicOp::CompareExchange},
      {"atomic_flag_test_and_set", AtomicOp::Exchange},
      {"atomic_flag_clear", AtomicOp::Store}};
  auto found = ops.find(id);
  if (found == ops.end()) cannotRun("the function " + (c.spelling.empty() ? id : c.spelling), e.loc);
  const bool isFlag = id.starts_with("atomic_flag");
  const bool comparesInPlace = id.starts_with("atomic_compare_exchange");
  const ir::TypePtr pointee = c.args[0]->type->element;
  const std::vector<Leaf> of = leaves(*pointee);
  const Place target = dereference(evalScalar(c.args[0]), *c.args[0]->type);
  const auto converted = [&](size_t arg) {
    Value v = eval(c.args.at(arg));
    if (v.regs.size() == 1 && of.size() == 1)
      v.regs[0] = convertScalar(v.regs[0], scalarOf(*c.args[arg]->type), of[0].type);
    return v;
  };
  Value value, compare;
  Place expected;
  if (id == "atomic_inc" || id == "atomic_dec" || isFlag) {
    value = {pointee, {constant(of[0].type, isFlag && id == "atomic_flag_clear" ? 0 : 1)}};
  } else if (comparesInPlace) {
    expected = dereference(evalScalar(c.args[1]), *c.args[1]->type);
    compare = load(expected);
    value = converted(2);
  } else if (found->second == AtomicOp::CompareExchange) {
    compare = converted(1);
    value = converted(2);
  } else if (found->second != AtomicOp::Load) {
    value = converted(1);
  }
  if (e.loc.valid()) current = e.loc;
  const bool mayBeGlobal = target.space != MemorySpace::Shared && target.space != MemorySpace::Local;
  const bool commutes = found->second != AtomicOp::Exchange && found->second != AtomicOp::CompareExchange &&
                        found->second != AtomicOp::IncWrap && found->second != AtomicOp::DecWrap &&
                        found->second != AtomicOp::Store;
  if (mayBeGlobal && (used || !commutes || isFloating(of[0].type))) out.ordersBlocks = true;
  Value old{pointee, {}};
  for (size_t i = 0; i < of.size(); ++i) {
    Place leaf = target;
    leaf.offset += int64_t(of[i].offset);
    Instr instr;
    instr.op = Op::Atomic;
    instr.atomic = found->second;
    instr.type = of[i].type;
    instr.space = target.space;
    instr.a = address(leaf);
    instr.b = value.regs.empty() ? noReg : value.regs[i];
    instr.c = compare.regs.empty() ? noReg : compare.regs[i];
    instr.dst = newRegister(of[i].type);
    instr.imm2 = used;
    emitMemory(instr, &e);
    old.regs.push_back(instr.dst);
  }
  if (comparesInPlace) {
    const Reg same =
        of[0].type == Scalar::F32 || of[0].type == Scalar::F64
            ? scalarCompare(ir::BinaryOp::Eq, of[0].type, old.regs[0], compare.regs[0], noReg)
            : emitOp(isWide(of[0].type) ? Op::Eq64 : Op::Eq32, Scalar::Bool, old.regs[0], compare.regs[0]);
    pushScope(Scope::If, Op::If, emitOp(Op::LogicalNot, Scalar::Bool, same));
    store(expected, old);
    popScope(Op::EndIf);
    return {e.type, {convertScalar(same, Scalar::Bool, scalarOf(*e.type))}};
  }
  if (e.type->is(TypeKind::Void)) return noValue();
  if (of.size() == 1) return {e.type, {convertScalar(old.regs[0], of[0].type, scalarOf(*e.type))}};
  return old;
}

}  // namespace hone::sim
