// Cooperative groups.
#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {

std::span<const IntrinsicRow> groupRows() {
  using enum IntrinsicClass;
  // clang-format off
  static constexpr IntrinsicRow rows[] = {
    // Cooperative groups. A method's name starts with a dot and its first argument is the group.
    {"this_thread_block", Group, "?cooperative_groups::this_thread_block/0-1"},
    {"this_grid", Group, "?cooperative_groups::this_grid/0-1"},
    {"this_cluster", Group, "?cooperative_groups::this_cluster/0-1"},
    {"this_thread", Group, "?cooperative_groups::this_thread/0-1"},
    {"tiled_partition", Group, "?cooperative_groups::tiled_partition/1-2"},
    // Which threads take part depends on where it stands.
    {"coalesced_threads", Query, "?cooperative_groups::coalesced_threads/0"},
    {"binary_partition", Exchange, "?cooperative_groups::binary_partition/2"},
    {"labeled_partition", Exchange, "?cooperative_groups::labeled_partition/2"},
    {"group_sync", Exchange, "?.sync/1 ?cooperative_groups::sync/1-2"},
    {"group_barrier_arrive", Exchange, "?.barrier_arrive/1"},
    {"group_barrier_wait", Exchange, "?.barrier_wait/1-2"},
    {"group_reduce", Exchange, "?cooperative_groups::reduce/3"},
    {"group_inclusive_scan", Exchange, "?cooperative_groups::inclusive_scan/2-3"},
    {"group_exclusive_scan", Exchange, "?cooperative_groups::exclusive_scan/2-3"},
    {"group_memcpy_async", Store, "?cooperative_groups::memcpy_async/4-6"},
    {"group_wait", Exchange, "?cooperative_groups::wait/1"},
    {"group_wait_prior", Exchange, "?cooperative_groups::wait_prior/1"},
    {"group_shfl", Exchange, "?.shfl/3"},
    {"group_shfl_up", Exchange, "?.shfl_up/3"},
    {"group_shfl_down", Exchange, "?.shfl_down/3"},
    {"group_shfl_xor", Exchange, "?.shfl_xor/3"},
    {"group_any", Exchange, "?.any/2"},
    {"group_all", Exchange, "?.all/2"},
    {"group_ballot", Exchange, "?.ballot/2"},
    {"group_match_any", Exchange, "?.match_any/2"},
    {"group_match_all", Exchange, "?.match_all/3"},
    {"group_thread_rank", Query, "?.thread_rank/1-2 ?cooperative_groups::thread_rank/1", "", true},
    {"group_size", Query, "?.size/1 ?.num_threads/1 ?.group_size/1 "
          "?cooperative_groups::group_size/1", "", true},
    {"group_thread_index", Query, "?.thread_index/1 ?cooperative_groups::thread_index/1", "", true},
    {"group_dim_threads", Query, "?.dim_threads/1 ?.group_dim/1 ?cooperative_groups::group_dim/1", "", true},
    {"group_meta_group_rank", Query, "?.meta_group_rank/1-2", "", true},
    {"group_meta_group_size", Query, "?.meta_group_size/1-2", "", true},
    {"group_index", Query, "?.group_index/1-2", "", true},
    {"group_block_index", Query, "?.block_index/1-2", "", true},
    {"group_block_rank", Query, "?.block_rank/1-2", "", true},
    {"group_num_blocks", Query, "?.num_blocks/1-2", "", true},
    {"group_dim_blocks", Query, "?.dim_blocks/1-2", "", true},
    {"group_cluster_rank", Query, "?.cluster_rank/1-2", "", true},
    {"group_cluster_index", Query, "?.cluster_index/1-2", "", true},
    {"group_num_clusters", Query, "?.num_clusters/1-2", "", true},
    {"group_dim_clusters", Query, "?.dim_clusters/1-2", "", true},
    {"group_is_valid", Query, "?.is_valid/1-2", "", true},
    {"group_query_shared_rank", Query, "?.query_shared_rank/2", "", true},
    {"group_map_shared_rank", Query, "?.map_shared_rank/2", "", true},
  };
  // clang-format on
  return rows;
}

}  // namespace hone::ir
