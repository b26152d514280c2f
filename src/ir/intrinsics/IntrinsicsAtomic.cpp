// Read-modify-write of memory.
#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {

std::span<const IntrinsicRow> atomicRows() {
  using enum IntrinsicClass;
  // clang-format off
  static constexpr IntrinsicRow rows[] = {
    // Relaxed, seen by the whole device, giving the old value. CUDA's _block forms may widen to the device,
    // never the other way.
    {"atomic_add", Atomic, "atomicAdd{iuLfdhBHN}(*TT)T", "atomic_add{iu}(*TT)T atom_add{iulL}(*TT)T"},
    {"atomic_add_block", Atomic, "atomicAdd_block{iuLfd}(*TT)T",
          ">atomic_add{iu}(*TT)T >atom_add{iulL}(*TT)T"},
    {"atomic_add_system", Atomic, "atomicAdd_system{iuLfd}(*TT)T"},
    {"atomic_sub", Atomic, "atomicSub{iu}(*TT)T", "atomic_sub{iu}(*TT)T atom_sub{iulL}(*TT)T"},
    {"atomic_sub_block", Atomic, "atomicSub_block{iu}(*TT)T", ">atomic_sub{iu}(*TT)T >atom_sub{iulL}(*TT)T"},
    {"atomic_sub_system", Atomic, "atomicSub_system{iu}(*TT)T"},
    {"atomic_xchg", Atomic, "atomicExch{iuLf}(*TT)T", "atomic_xchg{iuf}(*TT)T atom_xchg{iulL}(*TT)T"},
    {"atomic_xchg_block", Atomic, "atomicExch_block{iuLf}(*TT)T",
          ">atomic_xchg{iuf}(*TT)T >atom_xchg{iulL}(*TT)T"},
    {"atomic_xchg_system", Atomic, "atomicExch_system{iuLf}(*TT)T"},
    {"atomic_min", Atomic, "atomicMin{iulL}(*TT)T", "atomic_min{iu}(*TT)T atom_min{iulL}(*TT)T"},
    {"atomic_min_block", Atomic, "atomicMin_block{iulL}(*TT)T",
          ">atomic_min{iu}(*TT)T >atom_min{iulL}(*TT)T"},
    {"atomic_min_system", Atomic, "atomicMin_system{iulL}(*TT)T"},
    {"atomic_max", Atomic, "atomicMax{iulL}(*TT)T", "atomic_max{iu}(*TT)T atom_max{iulL}(*TT)T"},
    {"atomic_max_block", Atomic, "atomicMax_block{iulL}(*TT)T",
          ">atomic_max{iu}(*TT)T >atom_max{iulL}(*TT)T"},
    {"atomic_max_system", Atomic, "atomicMax_system{iulL}(*TT)T"},
    {"atomic_and", Atomic, "atomicAnd{iulL}(*TT)T", "atomic_and{iu}(*TT)T atom_and{iulL}(*TT)T"},
    {"atomic_and_block", Atomic, "atomicAnd_block{iulL}(*TT)T",
          ">atomic_and{iu}(*TT)T >atom_and{iulL}(*TT)T"},
    {"atomic_and_system", Atomic, "atomicAnd_system{iulL}(*TT)T"},
    {"atomic_or", Atomic, "atomicOr{iulL}(*TT)T", "atomic_or{iu}(*TT)T atom_or{iulL}(*TT)T"},
    {"atomic_or_block", Atomic, "atomicOr_block{iulL}(*TT)T", ">atomic_or{iu}(*TT)T >atom_or{iulL}(*TT)T"},
    {"atomic_or_system", Atomic, "atomicOr_system{iulL}(*TT)T"},
    {"atomic_xor", Atomic, "atomicXor{iulL}(*TT)T", "atomic_xor{iu}(*TT)T atom_xor{iulL}(*TT)T"},
    {"atomic_xor_block", Atomic, "atomicXor_block{iulL}(*TT)T",
          ">atomic_xor{iu}(*TT)T >atom_xor{iulL}(*TT)T"},
    {"atomic_xor_system", Atomic, "atomicXor_system{iulL}(*TT)T"},
    {"atomic_cmpxchg", Atomic, "atomicCAS{iuLS}(*TTT)T",
          "atomic_cmpxchg{iu}(*TTT)T atom_cmpxchg{iulL}(*TTT)T"},
    {"atomic_cmpxchg_block", Atomic, "atomicCAS_block{iuL}(*TTT)T",
          ">atomic_cmpxchg{iu}(*TTT)T >atom_cmpxchg{iulL}(*TTT)T"},
    {"atomic_cmpxchg_system", Atomic, "atomicCAS_system{iuL}(*TTT)T"},
    // CUDA's increment and decrement wrap at the operand; OpenCL's add one.
    {"atomic_inc_wrap", Atomic, "atomicInc{u}(*TT)T"},
    {"atomic_inc_wrap_block", Atomic, "atomicInc_block{u}(*TT)T"},
    {"atomic_inc_wrap_system", Atomic, "atomicInc_system{u}(*TT)T"},
    {"atomic_dec_wrap", Atomic, "atomicDec{u}(*TT)T"},
    {"atomic_dec_wrap_block", Atomic, "atomicDec_block{u}(*TT)T"},
    {"atomic_dec_wrap_system", Atomic, "atomicDec_system{u}(*TT)T"},
    {"atomic_inc", Atomic, "", "atomic_inc{iu}(*T)T atom_inc{iulL}(*T)T"},
    {"atomic_dec", Atomic, "", "atomic_dec{iu}(*T)T atom_dec{iulL}(*T)T"},
    // OpenCL 2.0, on atomic types; the short forms are sequentially consistent.
    {"atomic_fetch_add", Atomic, "", "?atomic_fetch_add/2"},
    {"atomic_fetch_add_explicit", Atomic, "", "?atomic_fetch_add_explicit/3-4"},
    {"atomic_fetch_sub", Atomic, "", "?atomic_fetch_sub/2"},
    {"atomic_fetch_sub_explicit", Atomic, "", "?atomic_fetch_sub_explicit/3-4"},
    {"atomic_fetch_or", Atomic, "", "?atomic_fetch_or/2"},
    {"atomic_fetch_or_explicit", Atomic, "", "?atomic_fetch_or_explicit/3-4"},
    {"atomic_fetch_xor", Atomic, "", "?atomic_fetch_xor/2"},
    {"atomic_fetch_xor_explicit", Atomic, "", "?atomic_fetch_xor_explicit/3-4"},
    {"atomic_fetch_and", Atomic, "", "?atomic_fetch_and/2"},
    {"atomic_fetch_and_explicit", Atomic, "", "?atomic_fetch_and_explicit/3-4"},
    {"atomic_fetch_min", Atomic, "", "?atomic_fetch_min/2"},
    {"atomic_fetch_min_explicit", Atomic, "", "?atomic_fetch_min_explicit/3-4"},
    {"atomic_fetch_max", Atomic, "", "?atomic_fetch_max/2"},
    {"atomic_fetch_max_explicit", Atomic, "", "?atomic_fetch_max_explicit/3-4"},
    {"atomic_load", Atomic, "", "?atomic_load/1"},
    {"atomic_load_explicit", Atomic, "", "?atomic_load_explicit/2-3"},
    {"atomic_store", Atomic, "", "?atomic_store/2"},
    {"atomic_store_explicit", Atomic, "", "?atomic_store_explicit/3-4"},
    {"atomic_exchange", Atomic, "", "?atomic_exchange/2"},
    {"atomic_exchange_explicit", Atomic, "", "?atomic_exchange_explicit/3-4"},
    {"atomic_compare_exchange_strong", Atomic, "", "?atomic_compare_exchange_strong/3"},
    {"atomic_compare_exchange_strong_explicit", Atomic, "", "?atomic_compare_exchange_strong_explicit/5-6"},
    {"atomic_compare_exchange_weak", Atomic, "", "?atomic_compare_exchange_weak/3"},
    {"atomic_compare_exchange_weak_explicit", Atomic, "", "?atomic_compare_exchange_weak_explicit/5-6"},
    {"atomic_init", Atomic, "", "?atomic_init/2"},
    {"atomic_flag_test_and_set", Atomic, "", "?atomic_flag_test_and_set/1"},
    {"atomic_flag_test_and_set_explicit", Atomic, "", "?atomic_flag_test_and_set_explicit/2-3"},
    {"atomic_flag_clear", Atomic, "", "?atomic_flag_clear/1"},
    {"atomic_flag_clear_explicit", Atomic, "", "?atomic_flag_clear_explicit/2-3"},
  };
  // clang-format on
  return rows;
}

}  // namespace hone::ir
