#!/bin/sh
# On a machine with an NVIDIA GPU, nvcc and ncu: builds host.cu, times its kernels and reads the counters of each with Nsight Compute.
# Leaves counters.csv, times.txt and device.txt in the folder given (default: here). Takes about a minute.
set -e
cd "$(dirname "$0")"
out=${1:-.}
arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -1 | tr -d .)
nvcc -arch=sm_"$arch" -O3 -lineinfo -o host host.cu
nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1 > "$out/device.txt"
ncu --version | tail -1 >> "$out/device.txt"
nvcc --version | grep release >> "$out/device.txt"
./host time > "$out/times.txt"
metrics=launch__registers_per_thread,sm__warps_active.avg.pct_of_peak_sustained_active
for m in \
    l1tex__t_requests_pipe_lsu_mem_global_op_ld l1tex__t_sectors_pipe_lsu_mem_global_op_ld \
    l1tex__t_requests_pipe_lsu_mem_global_op_st l1tex__t_sectors_pipe_lsu_mem_global_op_st \
    l1tex__t_requests_pipe_lsu_mem_global_op_red l1tex__t_sectors_pipe_lsu_mem_global_op_red \
    l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit \
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st \
    l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom \
    smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st \
    smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_atom \
    l1tex__m_xbar2l1tex_read_sectors l1tex__m_l1tex2xbar_write_sectors lts__t_sectors_srcunit_tex \
    dram__bytes_read dram__bytes_write smsp__inst_executed gpu__time_duration; do
  metrics="$metrics,$m.sum"
done
ncu --csv --page raw --print-units base --clock-control none --metrics "$metrics" ./host > "$out/counters.csv"
