// The host's side of the runtime, as far as ordinary programs call it.
#pragma once
#pragma GCC system_header

// clang-format off
extern "C" {
// Clang looks up one of these for <<<>>>: the first where it knows the toolkit's version, the second where it does not.
unsigned __cudaPushCallConfiguration(dim3, dim3, size_t = 0, struct CUstream_st* = 0);
int cudaConfigureCall(dim3, dim3, size_t = 0, struct CUstream_st* = 0);
// And these for a launch from the device.
__hone_device void* cudaGetParameterBuffer(size_t, size_t);
__hone_device cudaError_t cudaLaunchDevice(void*, void*, dim3, dim3, unsigned int, cudaStream_t);
__hone_device void cudaGraphSetConditional(cudaGraphConditionalHandle, unsigned int);
__hone_device cudaGraphExec_t cudaGetCurrentGraphExec(void);
// What the stub of a kernel calls.
cudaError_t cudaLaunchKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
__hone_both const char* cudaGetErrorString(cudaError_t);
__hone_both const char* cudaGetErrorName(cudaError_t);
struct cudaChannelFormatDesc cudaCreateChannelDesc(int, int, int, int, enum cudaChannelFormatKind);
#ifdef __cplusplus
// nvcc brings it, and launch functions ask for HONE_OFF.
char* getenv(const char*) noexcept;
#endif
}
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x5)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x6)
cudaError_t cudaDeviceReset(void);
__hone_both cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceSetLimit(enum cudaLimit, size_t);
__hone_both cudaError_t cudaDeviceGetLimit(size_t*, enum cudaLimit);
__hone_both cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache*);
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache);
__hone_both cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig*);
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig);
cudaError_t cudaDeviceGetStreamPriorityRange(int*, int*);
cudaError_t cudaDeviceGetByPCIBusId(int*, const char*);
cudaError_t cudaDeviceGetPCIBusId(char*, int, int);
cudaError_t cudaDeviceGetP2PAttribute(int*, enum cudaDeviceP2PAttr, int, int);
cudaError_t cudaDeviceCanAccessPeer(int*, int, int);
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int);
cudaError_t cudaDeviceDisablePeerAccess(int);
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t*, int);
__hone_both cudaError_t cudaDeviceGetAttribute(int*, enum cudaDeviceAttr, int);
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t);
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t);
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*);
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned int);
cudaError_t cudaIpcCloseMemHandle(void*);
cudaError_t cudaThreadExit(void);
cudaError_t cudaThreadSynchronize(void);
cudaError_t cudaThreadSetLimit(enum cudaLimit, size_t);
cudaError_t cudaThreadGetLimit(size_t*, enum cudaLimit);
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache);
cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache*);
__hone_both cudaError_t cudaGetLastError(void);
__hone_both cudaError_t cudaPeekAtLastError(void);
__hone_both cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp*, int);
cudaError_t cudaChooseDevice(int*, const struct cudaDeviceProp*);
cudaError_t cudaSetDevice(int);
__hone_both cudaError_t cudaGetDevice(int*);
cudaError_t cudaInitDevice(int, unsigned int, unsigned int);
cudaError_t cudaSetValidDevices(int*, int);
cudaError_t cudaSetDeviceFlags(unsigned int);
cudaError_t cudaGetDeviceFlags(unsigned int*);
cudaError_t cudaStreamCreate(cudaStream_t*);
__hone_both cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned int);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t*, unsigned int, int);
cudaError_t cudaStreamGetPriority(cudaStream_t, int*);
cudaError_t cudaStreamGetFlags(cudaStream_t, unsigned int*);
__hone_both cudaError_t cudaStreamDestroy(cudaStream_t);
__hone_both cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0);
cudaError_t cudaStreamAddCallback(cudaStream_t, cudaStreamCallback_t, void*, unsigned int);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void*, size_t = 0, unsigned int = cudaMemAttachSingle);
cudaError_t cudaStreamBeginCapture(cudaStream_t, enum cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t*);
cudaError_t cudaStreamIsCapturing(cudaStream_t, enum cudaStreamCaptureStatus*);
cudaError_t cudaStreamSetAttribute(cudaStream_t, enum cudaStreamAttrID, const cudaStreamAttrValue*);
cudaError_t cudaCtxResetPersistingL2Cache(void);
cudaError_t cudaEventCreate(cudaEvent_t*);
__hone_both cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned int);
__hone_both cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventRecordWithFlags(cudaEvent_t, cudaStream_t = 0, unsigned int = 0);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventSynchronize(cudaEvent_t);
__hone_both cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
cudaError_t cudaLaunchKernelExC(const struct cudaLaunchConfig_t*, const void*, void**);
cudaError_t cudaLaunchCooperativeKernel(const void*, dim3, dim3, void**, size_t, cudaStream_t);
cudaError_t cudaLaunchCooperativeKernelMultiDevice(struct cudaLaunchParams*, unsigned int, unsigned int = 0);
cudaError_t cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t, void*);
cudaError_t cudaFuncSetCacheConfig(const void*, enum cudaFuncCache);
cudaError_t cudaFuncSetSharedMemConfig(const void*, enum cudaSharedMemConfig);
__hone_both cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes*, const void*);
cudaError_t cudaFuncSetAttribute(const void*, enum cudaFuncAttribute, int);
__hone_both cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int*, const void*, int, size_t);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int*, const void*, int, size_t, unsigned int);
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t*, const void*, int, int);
cudaError_t cudaMallocManaged(void**, size_t, unsigned int = cudaMemAttachGlobal);
__hone_both cudaError_t cudaMalloc(void**, size_t);
cudaError_t cudaMallocHost(void**, size_t);
cudaError_t cudaMallocPitch(void**, size_t*, size_t, size_t);
cudaError_t cudaMallocArray(cudaArray_t*, const struct cudaChannelFormatDesc*, size_t, size_t = 0, unsigned int = 0);
cudaError_t cudaMallocAsync(void**, size_t, cudaStream_t);
cudaError_t cudaMallocFromPoolAsync(void**, size_t, cudaMemPool_t, cudaStream_t);
cudaError_t cudaFreeAsync(void*, cudaStream_t);
__hone_both cudaError_t cudaFree(void*);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaFreeArray(cudaArray_t);
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t);
cudaError_t cudaHostAlloc(void**, size_t, unsigned int);
cudaError_t cudaHostRegister(void*, size_t, unsigned int);
cudaError_t cudaHostUnregister(void*);
cudaError_t cudaHostGetDevicePointer(void**, void*, unsigned int);
cudaError_t cudaHostGetFlags(unsigned int*, void*);
cudaError_t cudaMalloc3D(struct cudaPitchedPtr*, struct cudaExtent);
cudaError_t cudaMalloc3DArray(cudaArray_t*, const struct cudaChannelFormatDesc*, struct cudaExtent, unsigned int = 0);
cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t*, const struct cudaChannelFormatDesc*, struct cudaExtent, unsigned int, unsigned int = 0);
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t*, cudaMipmappedArray_t, unsigned int);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, enum cudaMemPoolAttr, void*);
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms*);
__hone_both cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms*, cudaStream_t = 0);
cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms*);
cudaError_t cudaMemGetInfo(size_t*, size_t*);
cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc*, struct cudaExtent*, unsigned int*, cudaArray_t);
cudaError_t cudaMemcpy(void*, const void*, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyPeer(void*, int, const void*, int, size_t);
cudaError_t cudaMemcpyToArray(cudaArray_t, size_t, size_t, const void*, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyFromArray(void*, cudaArray_const_t, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t, size_t, size_t, const void*, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromArrayAsync(void*, cudaArray_const_t, size_t, size_t, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DToArray(cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DFromArray(void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, enum cudaMemcpyKind);
__hone_both cudaError_t cudaMemcpyAsync(void*, const void*, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyPeerAsync(void*, int, const void*, int, size_t, cudaStream_t = 0);
__hone_both cudaError_t cudaMemcpy2DAsync(void*, size_t, const void*, size_t, size_t, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaMemset2D(void*, size_t, int, size_t, size_t);
cudaError_t cudaMemset3D(struct cudaPitchedPtr, int, struct cudaExtent);
__hone_both cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0);
__hone_both cudaError_t cudaMemset2DAsync(void*, size_t, int, size_t, size_t, cudaStream_t = 0);
__hone_both cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr, int, struct cudaExtent, cudaStream_t = 0);
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void*, size_t, enum cudaMemoryAdvise, int);
cudaError_t cudaMemRangeGetAttribute(void*, size_t, enum cudaMemRangeAttribute, const void*, size_t);
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes*, const void*);
cudaError_t cudaGraphicsUnregisterResource(cudaGraphicsResource_t);
cudaError_t cudaGraphicsResourceSetMapFlags(cudaGraphicsResource_t, unsigned int);
cudaError_t cudaGraphicsMapResources(int, cudaGraphicsResource_t*, cudaStream_t = 0);
cudaError_t cudaGraphicsUnmapResources(int, cudaGraphicsResource_t*, cudaStream_t = 0);
cudaError_t cudaGraphicsResourceGetMappedPointer(void**, size_t*, cudaGraphicsResource_t);
cudaError_t cudaGraphicsSubResourceGetMappedArray(cudaArray_t*, cudaGraphicsResource_t, unsigned int, unsigned int);
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc*, cudaArray_const_t);
cudaError_t cudaCreateTextureObject(cudaTextureObject_t*, const struct cudaResourceDesc*, const struct cudaTextureDesc*, const struct cudaResourceViewDesc*);
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t);
cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc*, cudaTextureObject_t);
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t*, const struct cudaResourceDesc*);
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t);
cudaError_t cudaDriverGetVersion(int*);
__hone_both cudaError_t cudaRuntimeGetVersion(int*);
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t cudaGraphCreate(cudaGraph_t*, unsigned int);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const struct cudaKernelNodeParams*);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const struct cudaMemcpy3DParms*);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const struct cudaMemsetParams*);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, const struct cudaHostNodeParams*);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*, const void*, size_t, enum cudaMemcpyKind);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, struct cudaMemAllocNodeParams*);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, void*);
cudaError_t cudaDeviceGetGraphMemAttribute(int, enum cudaGraphMemAttributeType, void*);
cudaError_t cudaDeviceSetGraphMemAttribute(int, enum cudaGraphMemAttributeType, void*);
cudaError_t cudaDeviceGraphMemTrim(int);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t*, cudaGraph_t, const cudaGraphNode_t*, size_t, cudaGraph_t);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const struct cudaKernelNodeParams*);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const struct cudaMemcpy3DParms*);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const struct cudaMemsetParams*);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t, cudaGraphNode_t, const struct cudaHostNodeParams*);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, cudaGraphNode_t*, enum cudaGraphExecUpdateResult*);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t, struct cudaGraphExecUpdateResultInfo*);
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t*, size_t*);
cudaError_t cudaGraphClone(cudaGraph_t*, cudaGraph_t);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, unsigned long long = 0);
cudaError_t cudaGraphInstantiate(cudaGraphExec_t*, cudaGraph_t, cudaGraphNode_t*, char*, size_t);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaMemcpyToSymbol(const void*, const void*, size_t, size_t = 0, enum cudaMemcpyKind = cudaMemcpyHostToDevice);
cudaError_t cudaMemcpyFromSymbol(void*, const void*, size_t, size_t = 0, enum cudaMemcpyKind = cudaMemcpyDeviceToHost);
cudaError_t cudaMemcpyToSymbolAsync(const void*, const void*, size_t, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpyFromSymbolAsync(void*, const void*, size_t, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaGetSymbolAddress(void**, const void*);
cudaError_t cudaGetSymbolSize(size_t*, const void*);
cudaError_t cudaOccupancyMaxPotentialBlockSize(int*, int*, const void*, size_t, int);
cudaError_t cudaMemcpyArrayToArray(cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t, size_t, enum cudaMemcpyKind = cudaMemcpyDeviceToDevice);
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t, size_t, size_t, const void*, size_t, size_t, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemcpy2DFromArrayAsync(void*, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t, enum cudaMemcpyKind, cudaStream_t = 0);
// clang-format on

__hone_make cudaExtent make_cudaExtent(size_t w, size_t h, size_t d) { return {w, h, d}; }
__hone_make cudaPos make_cudaPos(size_t x, size_t y, size_t z) { return {x, y, z}; }
__hone_make cudaPitchedPtr make_cudaPitchedPtr(void* p, size_t pitch, size_t xs, size_t ys) { return {p, pitch, xs, ys}; }
