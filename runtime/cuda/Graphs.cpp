// Graphs: nodes are kept in the order they were added, which respects their dependencies, and done in that
// order.
#include "Runtime.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

using namespace hone::cuda;

struct CUgraphExec_st {
  CUgraph_st graph;
  bool freesItself = false;  // memory of its last launch
};

namespace {

std::function<cudaError_t()> doing(const cudaKernelNodeParams* p) {
  return recorded(p->func, p->gridDim, p->blockDim, p->kernelParams, p->sharedMemBytes, false);
}
std::function<cudaError_t()> doing(const cudaMemcpy3DParms* p) {
  return [copy = *p] { return cudaMemcpy3D(&copy); };
}
std::function<cudaError_t()> doing(const cudaMemsetParams* p) {
  const cudaMemsetParams set = *p;
  return [set]() -> cudaError_t {
    for (size_t y = 0; y < std::max<size_t>(1, set.height); ++y)
      for (size_t x = 0; x < set.width; ++x) {
        cudaError_t status = cudaSuccess;
        uint8_t* at =
            Runtime::get().resolve(static_cast<uint8_t*>(set.dst) + y * set.pitch + x * set.elementSize,
                                   set.elementSize, true, status, "memset");
        if (!at) return status;
        std::memcpy(at, &set.value, set.elementSize);
      }
    return cudaSuccess;
  };
}
std::function<cudaError_t()> doing(const cudaHostNodeParams* p) {
  return [call = *p] {
    call.fn(call.userData);
    return cudaSuccess;
  };
}

// A node's handle is its place in the graph, from 1, and so means the same node in what was instantiated or
// cloned.
cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, std::function<cudaError_t()> what) {
  graph->nodes.push_back(std::move(what));
  *node = reinterpret_cast<cudaGraphNode_t>(graph->nodes.size());
  return cudaSuccess;
}
cudaError_t set(cudaGraphExec_t exec, cudaGraphNode_t node, std::function<cudaError_t()> what) {
  const size_t at = reinterpret_cast<size_t>(node);
  if (at == 0 || at > exec->graph.nodes.size()) return result(cudaErrorInvalidValue);
  exec->graph.nodes[at - 1] = std::move(what);
  return cudaSuccess;
}
cudaError_t doAll(const CUgraph_st& graph) {
  Runtime& r = Runtime::get();
  const bool before = std::exchange(r.isGraphRunning, true);
  cudaError_t status = cudaSuccess;
  for (auto node = graph.nodes.begin(); node != graph.nodes.end() && !status; ++node) status = (*node)();
  r.isGraphRunning = before;
  return status;
}

}  // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode) {
  if (s <= cudaStreamPerThread || s->capture) return result(cudaErrorIllegalState);
  s->capture = new CUgraph_st;
  s->capture->origin = s;
  Runtime::get().captures.insert(s->capture);
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t* graph) {
  if (s <= cudaStreamPerThread || !s->capture) return result(cudaErrorIllegalState);
  if (s->capture->origin != s) return result(cudaErrorStreamCaptureUnmatched);
  *graph = s->capture;
  Runtime::get().captures.erase(*graph);
  for (CUstream_st* other : (*graph)->joined) other->capture = nullptr;
  (*graph)->joined.clear();
  (*graph)->origin = nullptr;
  s->capture = nullptr;
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus* status) {
  *status =
      s > cudaStreamPerThread && s->capture ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaGraphCreate(cudaGraph_t* graph, unsigned) {
  *graph = new CUgraph_st;
  return cudaSuccess;
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                   const cudaKernelNodeParams* p) {
  return add(node, graph, doing(p));
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                   const cudaMemcpy3DParms* p) {
  return add(node, graph, doing(p));
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                     void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  return add(node, graph, [=] { return cudaMemcpy(to, from, bytes, kind); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                   const cudaMemsetParams* p) {
  return add(node, graph, doing(p));
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                 const cudaHostNodeParams* p) {
  return add(node, graph, doing(p));
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t) {
  return add(node, graph, [] { return cudaSuccess; });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*,
                                       size_t, cudaGraph_t child) {
  // What a child allocates is its parent's to account for.
  graph->allocations.insert(graph->allocations.end(), child->allocations.begin(), child->allocations.end());
  return add(node, graph, [inner = *child] { return doAll(inner); });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* p) {
  return set(exec, node, doing(p));
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* p) {
  return set(exec, node, doing(p));
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* p) {
  return set(exec, node, doing(p));
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* p) {
  return set(exec, node, doing(p));
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t* node,
                                cudaGraphExecUpdateResult* how) {
  if (node) *node = nullptr;
  const bool isSame = exec->graph.nodes.size() == graph->nodes.size();
  *how = isSame ? cudaGraphExecUpdateSuccess : cudaGraphExecUpdateErrorTopologyChanged;
  if (!isSame) return result(cudaErrorGraphExecUpdateFailure);
  exec->graph = *graph;
  return cudaSuccess;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
                                cudaGraphExecUpdateResultInfo* info) {
  *info = {};
  return cudaGraphExecUpdate(exec, graph, nullptr, &info->result);
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* n) {
  if (nodes)
    for (size_t k = 0; k < std::min(*n, graph->nodes.size()); ++k)
      nodes[k] = reinterpret_cast<cudaGraphNode_t>(k + 1);
  *n = graph->nodes.size();
  return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t from) {
  *to = new CUgraph_st(*from);
  return cudaSuccess;
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                     cudaMemAllocNodeParams* p) {
  if (const cudaError_t status = addGraphAllocation(*graph, p->bytesize, &p->dptr)) return result(status);
  *node = reinterpret_cast<cudaGraphNode_t>(graph->nodes.size());
  return cudaSuccess;
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, size_t,
                                    void* address) {
  addGraphFree(*graph, address);
  *node = reinterpret_cast<cudaGraphNode_t>(graph->nodes.size());
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags) {
  *exec = new CUgraphExec_st{*graph, (flags & cudaGraphInstantiateFlagAutoFreeOnLaunch) != 0};
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, cudaGraphNode_t*, char*, size_t) {
  return cudaGraphInstantiate(exec, graph, 0ull);
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t s) {
  if (s > cudaStreamPerThread && s->capture) {  // becomes a part of what is captured
    s->capture->allocations.insert(s->capture->allocations.end(), exec->graph.allocations.begin(),
                                   exec->graph.allocations.end());
    s->capture->nodes.push_back([inner = exec->graph] { return doAll(inner); });
    return cudaSuccess;
  }
  Runtime::get().streamOfLaunch = s > cudaStreamPerThread ? s->number : 0;
  if (const cudaError_t status = prepareGraphMemory(exec->graph, exec->freesItself)) return result(status);
  return result(doAll(exec->graph));
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  delete exec;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
