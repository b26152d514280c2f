// Functions among lanes and threads, and queries of the machine.
#include "ir/IntrinsicTable.h"

namespace hone::ir {
namespace {

constexpr IntrinsicClass BarrierVote = IntrinsicClass::BarrierVote;
constexpr IntrinsicClass Control = IntrinsicClass::Control;
constexpr IntrinsicClass Exchange = IntrinsicClass::Exchange;
constexpr IntrinsicClass Query = IntrinsicClass::Query;

// clang-format off
const IntrinsicRow rows[] = {
    // Lanes of a warp, named by a mask.
    {"shfl_sync", Exchange, "__shfl_sync{iulLfdhHBN}(uTii)T __shfl_sync{iulLfdhHBN}(uTi)T"},
    {"shfl_up_sync", Exchange, "__shfl_up_sync{iulLfdhHBN}(uTui)T __shfl_up_sync{iulLfdhHBN}(uTu)T"},
    {"shfl_down_sync", Exchange, "__shfl_down_sync{iulLfdhHBN}(uTui)T __shfl_down_sync{iulLfdhHBN}(uTu)T"},
    {"shfl_xor_sync", Exchange, "__shfl_xor_sync{iulLfdhHBN}(uTii)T __shfl_xor_sync{iulLfdhHBN}(uTi)T"},
    {"any_sync", Exchange, "__any_sync(ui)i"},
    {"all_sync", Exchange, "__all_sync(ui)i"},
    {"uni_sync", Exchange, "__uni_sync(ui)i"},
    {"ballot_sync", Exchange, "__ballot_sync(ui)u"},
    {"match_any_sync", Exchange, "__match_any_sync{iulLfd}(uT)u"},
    {"match_all_sync", Exchange, "__match_all_sync{iulLfd}(uT*i)u"},
    {"reduce_add_sync", Exchange, "__reduce_add_sync{iu}(uT)T"},
    {"reduce_min_sync", Exchange, "__reduce_min_sync{iu}(uT)T"},
    {"reduce_max_sync", Exchange, "__reduce_max_sync{iu}(uT)T"},
    {"reduce_and_sync", Exchange, "__reduce_and_sync(uu)u"},
    {"reduce_or_sync", Exchange, "__reduce_or_sync(uu)u"},
    {"reduce_xor_sync", Exchange, "__reduce_xor_sync(uu)u"},
    // The forms without a mask that CUDA 9 retired: over the lanes that happen to be active.
    {"shfl", Exchange, "__shfl{iulLfd}(Tii)T __shfl{iulLfd}(Ti)T"},
    {"shfl_up", Exchange, "__shfl_up{iulLfd}(Tui)T __shfl_up{iulLfd}(Tu)T"},
    {"shfl_down", Exchange, "__shfl_down{iulLfd}(Tui)T __shfl_down{iulLfd}(Tu)T"},
    {"shfl_xor", Exchange, "__shfl_xor{iulLfd}(Tii)T __shfl_xor{iulLfd}(Ti)T"},
    {"any_active", Exchange, "__any(i)i"},
    {"all_active", Exchange, "__all(i)i"},
    {"ballot", Exchange, "__ballot(i)u"},
    // Barriers of the block that count or combine a predicate.
    {"syncthreads_count", BarrierVote, "__syncthreads_count(i)i"},
    {"syncthreads_and", BarrierVote, "__syncthreads_and(i)i"},
    {"syncthreads_or", BarrierVote, "__syncthreads_or(i)i"},
    // OpenCL sub-groups and work-groups.
    {"sub_group_all", Exchange, "", "sub_group_all(i)i"},
    {"sub_group_any", Exchange, "", "sub_group_any(i)i"},
    {"sub_group_broadcast", Exchange, "", "sub_group_broadcast{iulLF}(Tu)T"},
    {"sub_group_non_uniform_broadcast", Exchange, "", "sub_group_non_uniform_broadcast{AF+}(Tu)T"},
    {"sub_group_broadcast_first", Exchange, "", "sub_group_broadcast_first{AF}(T)T"},
    {"sub_group_elect", Exchange, "", "sub_group_elect()i"},
    {"sub_group_ballot", Exchange, "", "?sub_group_ballot/1"},
    {"sub_group_non_uniform_all", Exchange, "", "sub_group_non_uniform_all(i)i"},
    {"sub_group_non_uniform_any", Exchange, "", "sub_group_non_uniform_any(i)i"},
    {"sub_group_reduce_add", Exchange, "", "sub_group_reduce_add{iulLF}(T)T"},
    {"sub_group_reduce_min", Exchange, "", "sub_group_reduce_min{iulLF}(T)T"},
    {"sub_group_reduce_max", Exchange, "", "sub_group_reduce_max{iulLF}(T)T"},
    {"sub_group_scan_inclusive_add", Exchange, "", "sub_group_scan_inclusive_add{iulLF}(T)T"},
    {"sub_group_scan_inclusive_min", Exchange, "", "sub_group_scan_inclusive_min{iulLF}(T)T"},
    {"sub_group_scan_inclusive_max", Exchange, "", "sub_group_scan_inclusive_max{iulLF}(T)T"},
    {"sub_group_scan_exclusive_add", Exchange, "", "sub_group_scan_exclusive_add{iulLF}(T)T"},
    {"sub_group_scan_exclusive_min", Exchange, "", "sub_group_scan_exclusive_min{iulLF}(T)T"},
    {"sub_group_scan_exclusive_max", Exchange, "", "sub_group_scan_exclusive_max{iulLF}(T)T"},
    {"sub_group_shuffle", Exchange, "", "sub_group_shuffle{AF}(Tu)T"},
    {"sub_group_shuffle_xor", Exchange, "", "sub_group_shuffle_xor{AF}(Tu)T"},
    {"sub_group_shuffle_up", Exchange, "", "sub_group_shuffle_up{AF}(Tu)T"},
    {"sub_group_shuffle_down", Exchange, "", "sub_group_shuffle_down{AF}(Tu)T"},
    {"work_group_all", Exchange, "", "work_group_all(i)i"},
    {"work_group_any", Exchange, "", "work_group_any(i)i"},
    {"work_group_broadcast", Exchange, "",
          "work_group_broadcast{iulLF}(TL)T work_group_broadcast{iulLF}(TLL)T "
          "work_group_broadcast{iulLF}(TLLL)T"},
    {"work_group_reduce_add", Exchange, "", "work_group_reduce_add{iulLF}(T)T"},
    {"work_group_reduce_min", Exchange, "", "work_group_reduce_min{iulLF}(T)T"},
    {"work_group_reduce_max", Exchange, "", "work_group_reduce_max{iulLF}(T)T"},
    {"work_group_scan_inclusive_add", Exchange, "", "work_group_scan_inclusive_add{iulLF}(T)T"},
    {"work_group_scan_inclusive_min", Exchange, "", "work_group_scan_inclusive_min{iulLF}(T)T"},
    {"work_group_scan_inclusive_max", Exchange, "", "work_group_scan_inclusive_max{iulLF}(T)T"},
    {"work_group_scan_exclusive_add", Exchange, "", "work_group_scan_exclusive_add{iulLF}(T)T"},
    {"work_group_scan_exclusive_min", Exchange, "", "work_group_scan_exclusive_min{iulLF}(T)T"},
    {"work_group_scan_exclusive_max", Exchange, "", "work_group_scan_exclusive_max{iulLF}(T)T"},
    // The machine and the thread's place in it.
    {"get_sub_group_size", Query, "", "get_sub_group_size()u", true},
    {"get_max_sub_group_size", Query, "", "get_max_sub_group_size()u", true},
    {"get_num_sub_groups", Query, "", "get_num_sub_groups()u", true},
    {"get_enqueued_num_sub_groups", Query, "", "get_enqueued_num_sub_groups()u", true},
    {"get_sub_group_id", Query, "", "get_sub_group_id()u", true},
    {"get_sub_group_local_id", Query, "", "get_sub_group_local_id()u", true},
    {"get_global_linear_id", Query, "", "get_global_linear_id()L", true},
    {"get_local_linear_id", Query, "", "get_local_linear_id()L", true},
    {"get_enqueued_local_size", Query, "", "get_enqueued_local_size(u)L", true},
    {"activemask", Query, "__activemask()u"},
    {"clock", Query, "?clock/0"},
    {"clock64", Query, "clock64()l"},
    {"is_shared", Query, "__isShared(*y)u", "", true},
    {"is_global", Query, "__isGlobal(*y)u", "", true},
    {"is_local", Query, "__isLocal(*y)u", "", true},
    {"is_constant", Query, "__isConstant(*y)u", "", true},
    {"is_gridconstant", Query, "__isGridConstant(*y)u", "", true},
    {"is_ctashared", Query, "__isCtaShared(*y)u", "", true},
    {"is_clustershared", Query, "__isClusterShared(*y)u", "", true},
    {"nanosleep", Control, "__nanosleep(u)v"},
    {"trap", Control, "__trap()v"},
    {"brkpt", Control, "__brkpt()v"},
    {"prof_trigger", Control, "?__prof_trigger/1"},
};
// clang-format on

}  // namespace

std::span<const IntrinsicRow> warpRows() { return rows; }

}  // namespace hone::ir
