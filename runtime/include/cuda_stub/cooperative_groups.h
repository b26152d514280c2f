// Stands in for the toolkit's header of this name: blocks, tiles, coalesced groups, clusters and the grid.
#pragma once
#pragma GCC system_header
#include "../hone_cuda.h"

namespace cooperative_groups {

class thread_group {
public:
  __hone_device thread_group(const thread_group&);
  __hone_device unsigned long long size() const;
  __hone_device unsigned long long num_threads() const;
  __hone_device unsigned long long thread_rank() const;
  __hone_device bool is_valid() const;
  __hone_device void sync() const;
  __hone_device unsigned int get_type() const;

protected:
  __hone_device thread_group();
};

class thread_block : public thread_group {
public:
  __hone_device thread_block(const thread_block&);
  static __hone_device void sync();
  static __hone_device unsigned int thread_rank();
  static __hone_device unsigned int size();
  static __hone_device unsigned int num_threads();
  static __hone_device dim3 group_index();
  static __hone_device dim3 thread_index();
  static __hone_device dim3 group_dim();
  static __hone_device dim3 dim_threads();
  struct arrival_token {};
  __hone_device arrival_token barrier_arrive() const;
  __hone_device void barrier_wait(arrival_token&&) const;

private:
  __hone_device thread_block();
  friend __hone_device thread_block this_thread_block();
};
__hone_device thread_block this_thread_block();
template <unsigned int Size> struct block_tile_memory {};
template <unsigned int Size> __hone_device thread_block this_thread_block(block_tile_memory<Size>&);

class grid_group : public thread_group {
public:
  __hone_device grid_group(const grid_group&);
  __hone_device void sync() const;
  static __hone_device unsigned long long thread_rank();
  static __hone_device unsigned long long size();
  static __hone_device unsigned long long num_threads();
  static __hone_device unsigned long long block_rank();
  static __hone_device unsigned long long num_blocks();
  static __hone_device dim3 group_dim();
  static __hone_device dim3 dim_blocks();
  static __hone_device dim3 block_index();
  static __hone_device dim3 thread_index();
  static __hone_device unsigned long long cluster_rank();
  static __hone_device unsigned long long num_clusters();
  __hone_device bool is_valid() const;

private:
  __hone_device grid_group();
  friend __hone_device grid_group this_grid();
};
__hone_device grid_group this_grid();

class multi_grid_group : public thread_group {
public:
  __hone_device multi_grid_group(const multi_grid_group&);
  __hone_device void sync() const;
  __hone_device unsigned long long thread_rank() const;
  __hone_device unsigned long long size() const;
  __hone_device unsigned int grid_rank() const;
  __hone_device unsigned int num_grids() const;

private:
  __hone_device multi_grid_group();
  friend __hone_device multi_grid_group this_multi_grid();
};
__hone_device multi_grid_group this_multi_grid();

class cluster_group : public thread_group {
public:
  __hone_device cluster_group(const cluster_group&);
  static __hone_device void sync();
  static __hone_device void barrier_arrive();
  static __hone_device void barrier_wait();
  static __hone_device unsigned int thread_rank();
  static __hone_device unsigned int size();
  static __hone_device unsigned int num_threads();
  static __hone_device unsigned int block_rank();
  static __hone_device unsigned int num_blocks();
  static __hone_device dim3 block_index();
  static __hone_device dim3 thread_index();
  static __hone_device dim3 dim_blocks();
  static __hone_device dim3 dim_threads();
  template <class T> static __hone_device T* map_shared_rank(T*, int);
  template <class T> static __hone_device unsigned int query_shared_rank(const T*);

private:
  __hone_device cluster_group();
  friend __hone_device cluster_group this_cluster();
};
__hone_device cluster_group this_cluster();

class coalesced_group : public thread_group {
public:
  __hone_device coalesced_group(const coalesced_group&);
  __hone_device void sync() const;
  __hone_device unsigned int thread_rank() const;
  __hone_device unsigned int size() const;
  __hone_device unsigned int num_threads() const;
  __hone_device unsigned int meta_group_rank() const;
  __hone_device unsigned int meta_group_size() const;
  template <class T> __hone_device T shfl(T, int) const;
  template <class T> __hone_device T shfl_up(T, unsigned int) const;
  template <class T> __hone_device T shfl_down(T, unsigned int) const;
  __hone_device int any(int) const;
  __hone_device int all(int) const;
  __hone_device unsigned int ballot(int) const;
  template <class T> __hone_device unsigned int match_any(T) const;
  template <class T> __hone_device unsigned int match_all(T, int&) const;

private:
  __hone_device coalesced_group();
  friend __hone_device coalesced_group coalesced_threads();
  friend __hone_device coalesced_group binary_partition(const coalesced_group&, bool);
};
__hone_device coalesced_group coalesced_threads();

template <unsigned int Size, class Parent = void> class thread_block_tile : public thread_group {
public:
  __hone_device thread_block_tile(const thread_block_tile&);
  template <class Other> __hone_device thread_block_tile(const thread_block_tile<Size, Other>&);
  __hone_device void sync() const;
  __hone_device unsigned int thread_rank() const;
  static __hone_device constexpr unsigned int size() { return Size; }
  static __hone_device constexpr unsigned int num_threads() { return Size; }
  __hone_device unsigned int meta_group_rank() const;
  __hone_device unsigned int meta_group_size() const;
  template <class T> __hone_device T shfl(T, int) const;
  template <class T> __hone_device T shfl_up(T, unsigned int) const;
  template <class T> __hone_device T shfl_down(T, unsigned int) const;
  template <class T> __hone_device T shfl_xor(T, unsigned int) const;
  __hone_device int any(int) const;
  __hone_device int all(int) const;
  __hone_device unsigned int ballot(int) const;
  template <class T> __hone_device unsigned int match_any(T) const;
  template <class T> __hone_device unsigned int match_all(T, int&) const;

private:
  __hone_device thread_block_tile();
};

template <unsigned int Size, class Parent>
__hone_device thread_block_tile<Size, Parent> tiled_partition(const Parent&);
__hone_device thread_group tiled_partition(const thread_group&, unsigned int);
__hone_device thread_group tiled_partition(const thread_block&, unsigned int);
__hone_device coalesced_group tiled_partition(const coalesced_group&, unsigned int);
__hone_device coalesced_group binary_partition(const coalesced_group&, bool);
template <unsigned int Size, class Parent>
__hone_device coalesced_group binary_partition(const thread_block_tile<Size, Parent>&, bool);
template <class Tile> __hone_device coalesced_group labeled_partition(const Tile&, int);

template <class Group> __hone_device void sync(const Group&);
template <class Group> __hone_device unsigned int thread_rank(const Group&);
template <class Group> __hone_device unsigned int group_size(const Group&);
__hone_device dim3 this_thread_index();

} // namespace cooperative_groups
