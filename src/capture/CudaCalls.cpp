#include "capture/CudaCalls.h"

namespace hone::capture {

namespace {

// What calls hand over; of the per-thread forms (`_ptsz`) no stream is the thread's own.
template <typename Call>
void takeLaunch(LaunchCall& out, const void* given) {
  const Call& call = *static_cast<const Call*>(given);
  const auto& shape = [&]() -> const auto& {
    if constexpr (requires { call.config; })
      return *call.config;
    else
      return call;
  }();
  out.function = call.f;
  out.grid = {shape.gridDimX, shape.gridDimY, shape.gridDimZ};
  out.block = {shape.blockDimX, shape.blockDimY, shape.blockDimZ};
  out.shared = shape.sharedMemBytes;
  out.stream = shape.hStream;
  out.parameters = call.kernelParams;
  if constexpr (requires { call.extra; })
    out.extra = call.extra;
  else
    out.isCooperative = true;
  if constexpr (requires { shape.attrs; })
    for (unsigned i = 0; i < shape.numAttrs; ++i)
      if (shape.attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
        out.isCooperative = shape.attrs[i].value.cooperative != 0;
}

template <typename Call>
void takeLaunchOfThread(LaunchCall& out, const void* given) {
  takeLaunch<Call>(out, given);
  out.isPerThread = true;
}

// A node of a graph, when it is made and whenever it gets other arguments.
template <typename Node>
void takeNode(LaunchCall& out, const Node& node) {
  out.isNode = true;
  out.function = node.func;
  if constexpr (requires { node.kern; })
    if (!out.function) out.function = reinterpret_cast<CUfunction>(node.kern);
  out.grid = {node.gridDimX, node.gridDimY, node.gridDimZ};
  out.block = {node.blockDimX, node.blockDimY, node.blockDimZ};
  out.shared = node.sharedMemBytes;
  out.parameters = node.kernelParams;
  out.extra = node.extra;
}

template <typename Call>
void takeNodeOf(LaunchCall& out, const void* call) {
  const auto* node = static_cast<const Call*>(call)->nodeParams;
  if (!node) return;
  if constexpr (requires { node->kernel; }) {
    if (node->type == CU_GRAPH_NODE_TYPE_KERNEL) takeNode(out, node->kernel);
  } else {
    takeNode(out, *node);
  }
}

const LaunchingCall launchCalls[] = {
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, takeLaunch<cuLaunchKernel_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz, takeLaunchOfThread<cuLaunchKernel_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx, takeLaunch<cuLaunchKernelEx_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, takeLaunchOfThread<cuLaunchKernelEx_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel, takeLaunch<cuLaunchCooperativeKernel_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
     takeLaunchOfThread<cuLaunchCooperativeKernel_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode, takeNodeOf<cuGraphAddKernelNode_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode_v2, takeNodeOf<cuGraphAddKernelNode_v2_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode, takeNodeOf<cuGraphAddNode_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphAddNode_v2, takeNodeOf<cuGraphAddNode_v2_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams, takeNodeOf<cuGraphKernelNodeSetParams_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphKernelNodeSetParams_v2, takeNodeOf<cuGraphKernelNodeSetParams_v2_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams,
     takeNodeOf<cuGraphExecKernelNodeSetParams_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecKernelNodeSetParams_v2,
     takeNodeOf<cuGraphExecKernelNodeSetParams_v2_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphNodeSetParams, takeNodeOf<cuGraphNodeSetParams_params>},
    {CUPTI_DRIVER_TRACE_CBID_cuGraphExecNodeSetParams, takeNodeOf<cuGraphExecNodeSetParams_params>}};
constexpr CUpti_CallbackId freeCalls[] = {CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync,
                                          CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync_ptsz};
constexpr CUpti_CallbackId beginCalls[] = {CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
                                           CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz,
                                           CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph,
                                           CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz};
constexpr CUpti_CallbackId endCalls[] = {CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
                                         CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz};
}  // namespace

std::span<const LaunchingCall> launchingCalls() { return launchCalls; }
std::span<const CUpti_CallbackId> freeingCalls() { return freeCalls; }
std::span<const CUpti_CallbackId> beginningCalls() { return beginCalls; }
std::span<const CUpti_CallbackId> endingCalls() { return endCalls; }

}  // namespace hone::capture
