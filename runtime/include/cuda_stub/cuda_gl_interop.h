// Stands in for the toolkit's header of this name, without needing OpenGL's.
#pragma once
#pragma GCC system_header
#include "../hone_cuda.h"

cudaError_t cudaGraphicsGLRegisterImage(cudaGraphicsResource_t*, unsigned int, unsigned int, unsigned int);
cudaError_t cudaGraphicsGLRegisterBuffer(cudaGraphicsResource_t*, unsigned int, unsigned int);
cudaError_t cudaGLSetGLDevice(int);
cudaError_t cudaGLRegisterBufferObject(unsigned int);
cudaError_t cudaGLMapBufferObject(void**, unsigned int);
cudaError_t cudaGLUnmapBufferObject(unsigned int);
cudaError_t cudaGLUnregisterBufferObject(unsigned int);
