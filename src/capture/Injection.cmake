# libhone_capture.so, which `hone capture` and `hone-worker capture` have the driver load into CUDA programs; only where CUPTI is.
find_path(HONE_CUPTI_INCLUDE cupti.h
          HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include extras/CUPTI/include)
find_library(HONE_CUPTI cupti HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda
             PATH_SUFFIXES lib64 lib extras/CUPTI/lib64 targets/x86_64-linux/lib targets/sbsa-linux/lib)
find_path(HONE_CUDA_INCLUDE cuda_runtime_api.h HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES include)
if(HONE_CUPTI_INCLUDE AND HONE_CUPTI AND HONE_CUDA_INCLUDE)
  add_library(hone_capture_injection SHARED "${CMAKE_CURRENT_LIST_DIR}/CudaInjection.cpp" "${CMAKE_CURRENT_LIST_DIR}/CudaCalls.cpp" "${CMAKE_CURRENT_LIST_DIR}/Recorder.cpp"
              "${CMAKE_CURRENT_LIST_DIR}/ChooseContents.cpp" "${CMAKE_CURRENT_LIST_DIR}/HostSymbols.cpp")
  set_target_properties(hone_capture_injection PROPERTIES OUTPUT_NAME hone_capture CXX_VISIBILITY_PRESET hidden
                        BUILD_RPATH_USE_ORIGIN OFF INSTALL_RPATH_USE_LINK_PATH ON)
  if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
    set_target_properties(hone_capture_injection PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  endif()
  target_include_directories(hone_capture_injection PRIVATE "${CMAKE_CURRENT_LIST_DIR}/.." SYSTEM "${HONE_CUPTI_INCLUDE}" "${HONE_CUDA_INCLUDE}")
  target_link_libraries(hone_capture_injection PRIVATE "${HONE_CUPTI}" ${CMAKE_DL_LIBS})
else()
  message(STATUS "cupti.h is not there: no libhone_capture.so")
endif()

# libhone_capture_cl.so, which the loader of OpenCL loads into programs; only where CL/cl_layer.h is.
find_path(HONE_CL_LAYER_INCLUDE CL/cl_layer.h)
if(HONE_CL_LAYER_INCLUDE)
  add_library(hone_capture_layer SHARED "${CMAKE_CURRENT_LIST_DIR}/OpenclLayer.cpp" "${CMAKE_CURRENT_LIST_DIR}/Recorder.cpp"
              "${CMAKE_CURRENT_LIST_DIR}/ChooseContents.cpp")
  set_target_properties(hone_capture_layer PROPERTIES OUTPUT_NAME hone_capture_cl CXX_VISIBILITY_PRESET hidden)
  if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
    set_target_properties(hone_capture_layer PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  endif()
  target_include_directories(hone_capture_layer PRIVATE "${CMAKE_CURRENT_LIST_DIR}/.." SYSTEM "${HONE_CL_LAYER_INCLUDE}")
  # libhone_cl.so, which enqueues what `--layer` wrote in place of a program's kernels; as a layer or by LD_PRELOAD.
  add_library(hone_replace_layer SHARED "${CMAKE_CURRENT_LIST_DIR}/OpenclReplace.cpp" "${CMAKE_CURRENT_LIST_DIR}/OpenclEntries.cpp")
  set_target_properties(hone_replace_layer PROPERTIES OUTPUT_NAME hone_cl CXX_VISIBILITY_PRESET hidden)
  if(CMAKE_RUNTIME_OUTPUT_DIRECTORY)
    set_target_properties(hone_replace_layer PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
  endif()
  target_include_directories(hone_replace_layer PRIVATE "${CMAKE_CURRENT_LIST_DIR}/.." SYSTEM "${HONE_CL_LAYER_INCLUDE}")
  target_link_libraries(hone_replace_layer PRIVATE ${CMAKE_DL_LIBS})
else()
  message(STATUS "CL/cl_layer.h is not there: no libhone_capture_cl.so and no libhone_cl.so")
endif()
