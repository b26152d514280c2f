// Texture and surface objects over arrays, pitched and linear memory.
#include "Runtime.h"

using namespace hone::cuda;
using hone::sim::Scalar;
using hone::sim::Texture;

namespace {

struct Made {
  cudaResourceDesc resource;
};
std::map<unsigned long long, Made> objects;

Scalar channelType(const cudaChannelFormatDesc& f) {
  const bool isSigned = f.f == cudaChannelFormatKindSigned;
  if (f.f == cudaChannelFormatKindFloat) return f.x == 16 ? Scalar::F16 : Scalar::F32;
  if (f.x == 8) return isSigned ? Scalar::I8 : Scalar::U8;
  if (f.x == 16) return isSigned ? Scalar::I16 : Scalar::U16;
  return isSigned ? Scalar::I32 : Scalar::U32;
}

unsigned channels(const cudaChannelFormatDesc& f) {
  return unsigned((f.x > 0) + (f.y > 0) + (f.z > 0) + (f.w > 0));
}

bool describe(const cudaResourceDesc& r, Texture& t) {
  switch (r.resType) {
    case cudaResourceTypeArray: {
      const cudaArray& a = *r.res.array.array;
      t.address = a.address;
      t.element = channelType(a.format);
      t.channels = channels(a.format);
      t.pitch = a.pitch;
      t.slicePitch = a.pitch * a.rows();
      const bool layered = a.flags & cudaArrayLayered;
      t.extent = {uint32_t(a.extent.width), uint32_t(a.extent.height),
                  layered ? 0 : uint32_t(a.extent.depth)};
      t.layers = layered ? uint32_t(a.slices()) : 0;
      return true;
    }
    case cudaResourceTypeLinear: {
      const auto& l = r.res.linear;
      t.address = reinterpret_cast<uint64_t>(l.devPtr);
      t.element = channelType(l.desc);
      t.channels = channels(l.desc);
      t.extent = {uint32_t(l.sizeInBytes / (hone::sim::memoryBytes(t.element) * std::max(1u, t.channels))), 0,
                  0};
      return true;
    }
    case cudaResourceTypePitch2D: {
      const auto& p = r.res.pitch2D;
      t.address = reinterpret_cast<uint64_t>(p.devPtr);
      t.element = channelType(p.desc);
      t.channels = channels(p.desc);
      t.extent = {uint32_t(p.width), uint32_t(p.height), 0};
      t.pitch = p.pitchInBytes;
      return true;
    }
    default: return false;
  }
}

}  // namespace

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* r,
                                    const cudaTextureDesc* d, const cudaResourceViewDesc*) {
  Texture t;
  if (!describe(*r, t)) return result(cudaErrorNotSupported);
  for (int k = 0; k < 3; ++k) {
    const cudaTextureAddressMode m = d->addressMode[k];
    // Wrap and mirror need normalized coordinates; without them the hardware clamps.
    t.edge[k] = m == cudaAddressModeBorder                          ? Texture::Edge::Border
                : m == cudaAddressModeClamp || !d->normalizedCoords ? Texture::Edge::Clamp
                : m == cudaAddressModeWrap                          ? Texture::Edge::Wrap
                                                                    : Texture::Edge::Mirror;
  }
  t.filter = d->filterMode == cudaFilterModeLinear ? Texture::Filter::Linear : Texture::Filter::Point;
  t.normalizedCoordinates = d->normalizedCoords != 0;
  t.normalizedFloat = d->readMode == cudaReadModeNormalizedFloat;
  *object = Runtime::get().device.textures.add(t);
  objects[*object] = {*r};
  return cudaSuccess;
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  Runtime::get().device.textures.remove(object);
  objects.erase(object);
  return cudaSuccess;
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* r, cudaTextureObject_t object) {
  auto it = objects.find(object);
  if (it == objects.end()) return result(cudaErrorInvalidValue);
  *r = it->second.resource;
  return cudaSuccess;
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* r) {
  Texture t;
  if (!describe(*r, t)) return result(cudaErrorNotSupported);
  *object = Runtime::get().device.textures.add(t);
  return cudaSuccess;
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  Runtime::get().device.textures.remove(object);
  return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t a) {
  *format = a->format;
  return cudaSuccess;
}
extern "C" cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                       cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}
