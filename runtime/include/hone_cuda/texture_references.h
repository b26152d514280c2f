// Texture and surface references, which CUDA 12 removed: types, reads and the calls that bind them.
#pragma once
#pragma GCC system_header

struct surfaceReference {
  struct cudaChannelFormatDesc channelDesc;
};
struct textureReference {
  int normalized;
  enum cudaTextureFilterMode filterMode;
  enum cudaTextureAddressMode addressMode[3];
  struct cudaChannelFormatDesc channelDesc;
  int sRGB;
  unsigned int maxAnisotropy;
  enum cudaTextureFilterMode mipmapFilterMode;
  float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
};

#define cudaTextureType1D 0x01
#define cudaTextureType2D 0x02
#define cudaTextureType3D 0x03
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 0x01
#define cudaSurfaceType2D 0x02
#define cudaSurfaceType3D 0x03
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2

template <class T, int type = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
  texture(int norm = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
          cudaTextureAddressMode address = cudaAddressModeClamp);
  texture(int norm, cudaTextureFilterMode filter, cudaTextureAddressMode address, cudaChannelFormatDesc desc);
};
template <class T, int type = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface : public surfaceReference {
  surface();
};

// What a read gives: the element, or a float in [-1, 1] for each of its parts.
template <class T, cudaTextureReadMode mode> struct __hone_texel { typedef T type; };
#define __hone_normalized(T, F) \
  template <> struct __hone_texel<T, cudaReadModeNormalizedFloat> { typedef F type; };
__hone_normalized(char, float) __hone_normalized(signed char, float) __hone_normalized(unsigned char, float)
__hone_normalized(short, float) __hone_normalized(unsigned short, float)
__hone_normalized(char1, float1) __hone_normalized(char2, float2) __hone_normalized(char4, float4)
__hone_normalized(uchar1, float1) __hone_normalized(uchar2, float2) __hone_normalized(uchar4, float4)
__hone_normalized(short1, float1) __hone_normalized(short2, float2) __hone_normalized(short4, float4)
__hone_normalized(ushort1, float1) __hone_normalized(ushort2, float2) __hone_normalized(ushort4, float4)
#undef __hone_normalized

template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type tex1Dfetch(texture<T, cudaTextureType1D, mode>, int);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type tex1D(texture<T, cudaTextureType1D, mode>, float);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type tex2D(texture<T, cudaTextureType2D, mode>, float, float);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type tex3D(texture<T, cudaTextureType3D, mode>, float, float, float);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type tex1DLayered(texture<T, cudaTextureType1DLayered, mode>, float, int);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type tex2DLayered(texture<T, cudaTextureType2DLayered, mode>, float, float, int);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type texCubemap(texture<T, cudaTextureTypeCubemap, mode>, float, float, float);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type texCubemapLayered(texture<T, cudaTextureTypeCubemapLayered, mode>, float, float, float, int);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type tex1DLod(texture<T, cudaTextureType1D, mode>, float, float);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type tex2DLod(texture<T, cudaTextureType2D, mode>, float, float, float);
template <class T, cudaTextureReadMode mode>
__hone_device typename __hone_texel<T, mode>::type tex3DLod(texture<T, cudaTextureType3D, mode>, float, float, float, float);

template <class T> __hone_device T surf1Dread(surface<void, cudaSurfaceType1D>, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T>
__hone_device void surf1Dread(T*, surface<void, cudaSurfaceType1D>, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T>
__hone_device void surf1Dwrite(T, surface<void, cudaSurfaceType1D>, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device T surf2Dread(surface<void, cudaSurfaceType2D>, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T>
__hone_device void surf2Dread(T*, surface<void, cudaSurfaceType2D>, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T>
__hone_device void surf2Dwrite(T, surface<void, cudaSurfaceType2D>, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device T surf3Dread(surface<void, cudaSurfaceType3D>, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T>
__hone_device void surf3Dread(T*, surface<void, cudaSurfaceType3D>, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T>
__hone_device void surf3Dwrite(T, surface<void, cudaSurfaceType3D>, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T> __hone_device T surf2DLayeredread(surface<void, cudaSurfaceType2DLayered>, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T>
__hone_device void surf2DLayeredread(T*, surface<void, cudaSurfaceType2DLayered>, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);
template <class T>
__hone_device void surf2DLayeredwrite(T, surface<void, cudaSurfaceType2DLayered>, int, int, int, cudaSurfaceBoundaryMode = cudaBoundaryModeTrap);

template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t*, const texture<T, type, mode>&, const void*, const cudaChannelFormatDesc&,
                            size_t = UINT_MAX);
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture(size_t*, const texture<T, type, mode>&, const void*, size_t = UINT_MAX);
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t*, const texture<T, type, mode>&, const void*, const cudaChannelFormatDesc&, size_t,
                              size_t, size_t);
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTexture2D(size_t*, const texture<T, type, mode>&, const void*, size_t, size_t, size_t);
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, type, mode>&, cudaArray_const_t, const cudaChannelFormatDesc&);
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToArray(const texture<T, type, mode>&, cudaArray_const_t);
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaBindTextureToMipmappedArray(const texture<T, type, mode>&, cudaMipmappedArray_t,
                                            const cudaChannelFormatDesc&);
template <class T, int type, cudaTextureReadMode mode> cudaError_t cudaUnbindTexture(const texture<T, type, mode>&);
template <class T, int type, cudaTextureReadMode mode>
cudaError_t cudaGetTextureAlignmentOffset(size_t*, const texture<T, type, mode>&);
template <class T, int type> cudaError_t cudaBindSurfaceToArray(const surface<T, type>&, cudaArray_const_t);
template <class T, int type>
cudaError_t cudaBindSurfaceToArray(const surface<T, type>&, cudaArray_const_t, const cudaChannelFormatDesc&);
cudaError_t cudaGetTextureReference(const textureReference**, const void*);
