// Cooperative groups.
#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {

std::span<const IntrinsicRow> groupRows() {
  using enum IntrinsicClass;
  using enum Participants;
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
    {"group_sync", over(Exchange, GroupHandle), "?.sync/1 ?cooperative_groups::sync/1-2"},
    {"group_barrier_arrive", over(Exchange, GroupHandle), "?.barrier_arrive/1"},
    {"group_barrier_wait", over(Exchange, GroupHandle), "?.barrier_wait/1-2"},
    {"group_reduce", over(Exchange, GroupHandle), "?cooperative_groups::reduce/3"},
    {"group_inclusive_scan", over(Exchange, GroupHandle), "?cooperative_groups::inclusive_scan/2-3"},
    {"group_exclusive_scan", over(Exchange, GroupHandle), "?cooperative_groups::exclusive_scan/2-3"},
    {"group_memcpy_async", over(Store, GroupHandle), "?cooperative_groups::memcpy_async/4-6"},
    {"group_wait", over(Exchange, GroupHandle), "?cooperative_groups::wait/1"},
    {"group_wait_prior", over(Exchange, GroupHandle), "?cooperative_groups::wait_prior/1"},
    {"group_shfl", shuffle(GroupHandle), "?.shfl/3"},
    {"group_shfl_up", shuffle(GroupHandle), "?.shfl_up/3"},
    {"group_shfl_down", shuffle(GroupHandle), "?.shfl_down/3"},
    {"group_shfl_xor", shuffle(GroupHandle), "?.shfl_xor/3"},
    {"group_any", over(Exchange, GroupHandle), "?.any/2"},
    {"group_all", over(Exchange, GroupHandle), "?.all/2"},
    {"group_ballot", over(Exchange, GroupHandle), "?.ballot/2"},
    {"group_match_any", over(Exchange, GroupHandle), "?.match_any/2"},
    {"group_match_all", over(Exchange, GroupHandle), "?.match_all/3"},
    {"group_thread_rank", over(Query, GroupHandle),
          "?.thread_rank/1-2 ?cooperative_groups::thread_rank/1", "", true},
    {"group_size", over(Query, GroupHandle), "?.size/1 ?.num_threads/1 ?.group_size/1 "
          "?cooperative_groups::group_size/1", "", true},
    {"group_thread_index", over(Query, GroupHandle),
          "?.thread_index/1 ?cooperative_groups::thread_index/1", "", true},
    {"group_dim_threads", over(Query, GroupHandle),
          "?.dim_threads/1 ?.group_dim/1 ?cooperative_groups::group_dim/1", "", true},
    {"group_meta_group_rank", over(Query, GroupHandle), "?.meta_group_rank/1-2", "", true},
    {"group_meta_group_size", over(Query, GroupHandle), "?.meta_group_size/1-2", "", true},
    {"group_index", over(Query, GroupHandle), "?.group_index/1-2", "", true},
    {"group_block_index", over(Query, GroupHandle), "?.block_index/1-2", "", true},
    {"group_block_rank", over(Query, GroupHandle), "?.block_rank/1-2", "", true},
    {"group_num_blocks", over(Query, GroupHandle), "?.num_blocks/1-2", "", true},
    {"group_dim_blocks", over(Query, GroupHandle), "?.dim_blocks/1-2", "", true},
    {"group_cluster_rank", over(Query, GroupHandle), "?.cluster_rank/1-2", "", true},
    {"group_cluster_index", over(Query, GroupHandle), "?.cluster_index/1-2", "", true},
    {"group_num_clusters", over(Query, GroupHandle), "?.num_clusters/1-2", "", true},
    {"group_dim_clusters", over(Query, GroupHandle), "?.dim_clusters/1-2", "", true},
    {"group_is_valid", over(Query, GroupHandle), "?.is_valid/1-2", "", true},
    {"group_query_shared_rank", over(Query, GroupHandle), "?.query_shared_rank/2", "", true},
    {"group_map_shared_rank", over(Query, GroupHandle), "?.map_shared_rank/2", "", true},
  };
  // clang-format on
  return rows;
}

}  // namespace hone::ir
