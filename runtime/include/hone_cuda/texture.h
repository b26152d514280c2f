// Reads through texture objects and references, reads and writes through surface objects.
#pragma once
#pragma GCC system_header

// Objects.
template <class T> __hone_device T tex1Dfetch(cudaTextureObject_t, int);
template <class T> __hone_device T tex1D(cudaTextureObject_t, float);
template <class T> __hone_device T tex1DLod(cudaTextureObject_t, float, float);
template <class T> __hone_device T tex1DGrad(cudaTextureObject_t, float, float, float);
template <class T> __hone_device T tex2D(cudaTextureObject_t, float, float);
template <class T> __hone_device T tex2DLod(cudaTextureObject_t, float, float, float);
template <class T> __hone_device T tex2DGrad(cudaTextureObject_t, float, float, float2, float2);
template <class T> __hone_device T tex3D(cudaTextureObject_t, float, float, float);
template <class T> __hone_device T tex3DLod(cudaTextureObject_t, float, float, float, float);
template <class T> __hone_device T tex3DGrad(cudaTextureObject_t, float, float, float, float4, float4);
template <class T> __hone_device T tex1DLayered(cudaTextureObject_t, float, int);
template <class T> __hone_device T tex1DLayeredLod(cudaTextureObject_t, float, int, float);
template <class T> __hone_device T tex2DLayered(cudaTextureObject_t, float, float, int);
template <class T> __hone_device T tex2DLayeredLod(cudaTextureObject_t, float, float, int, float);
template <class T> __hone_device T texCubemap(cudaTextureObject_t, float, float, float);
template <class T> __hone_device T texCubemapLod(cudaTextureObject_t, float, float, float, float);
template <class T> __hone_device T texCubemapLayered(cudaTextureObject_t, float, float, float, int);
template <class T> __hone_device T tex2Dgather(cudaTextureObject_t, float, float, int = 0);
template <class T> __hone_device void tex1Dfetch(T*, cudaTextureObject_t, int);
template <class T> __hone_device void tex1D(T*, cudaTextureObject_t, float);
template <class T> __hone_device void tex1DLod(T*, cudaTextureObject_t, float, float);
template <class T> __hone_device void tex1DGrad(T*, cudaTextureObject_t, float, float, float);
template <class T> __hone_device void tex2D(T*, cudaTextureObject_t, float, float);
template <class T> __hone_device void tex2DLod(T*, cudaTextureObject_t, float, float, float);
template <class T> __hone_device void tex2DGrad(T*, cudaTextureObject_t, float, float, float2, float2);
template <class T> __hone_device void tex3D(T*, cudaTextureObject_t, float, float, float);
template <class T> __hone_device void tex3DLod(T*, cudaTextureObject_t, float, float, float, float);
template <class T> __hone_device void tex3DGrad(T*, cudaTextureObject_t, float, float, float, float4, float4);
template <class T> __hone_device void tex1DLayered(T*, cudaTextureObject_t, float, int);
template <class T> __hone_device void tex1DLayeredLod(T*, cudaTextureObject_t, float, int, float);
template <class T> __hone_device void tex2DLayered(T*, cudaTextureObject_t, float, float, int);
template <class T> __hone_device void tex2DLayeredLod(T*, cudaTextureObject_t, float, float, int, float);
template <class T> __hone_device void texCubemap(T*, cudaTextureObject_t, float, float, float);
template <class T> __hone_device void texCubemapLod(T*, cudaTextureObject_t, float, float, float, float);
template <class T> __hone_device void texCubemapLayered(T*, cudaTextureObject_t, float, float, float, int);

template <class T> __hone_device T surf1Dread(cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf1Dread(T*, cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf1Dwrite(T, cudaSurfaceObject_t, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device T surf2Dread(cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf2Dread(T*, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf2Dwrite(T, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device T surf3Dread(cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf3Dread(T*, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf3Dwrite(T, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device T surf1DLayeredread(cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf1DLayeredread(T*, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf1DLayeredwrite(T, cudaSurfaceObject_t, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device T surf2DLayeredread(cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf2DLayeredread(T*, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surf2DLayeredwrite(T, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device T surfCubemapread(cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surfCubemapread(T*, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surfCubemapwrite(T, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device T surfCubemapLayeredread(cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surfCubemapLayeredread(T*, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device void surfCubemapLayeredwrite(T, cudaSurfaceObject_t, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);

#include "texture_references.h"
