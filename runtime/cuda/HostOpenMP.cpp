// OpenMP's functions for a host side that runs on one thread: its pragmas are not followed, so that runs
// repeat.
#include <chrono>

extern "C" {

void omp_set_num_threads(int) {}
int omp_get_num_threads() { return 1; }
int omp_get_max_threads() { return 1; }
int omp_get_thread_num() { return 0; }
int omp_get_num_procs() { return 1; }
int omp_get_thread_limit() { return 1; }
int omp_in_parallel() { return 0; }
void omp_set_dynamic(int) {}
int omp_get_dynamic() { return 0; }
void omp_set_nested(int) {}
int omp_get_nested() { return 0; }
double omp_get_wtime() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}
double omp_get_wtick() { return 1e-9; }
void omp_init_lock(void*) {}
void omp_destroy_lock(void*) {}
void omp_set_lock(void*) {}
void omp_unset_lock(void*) {}
int omp_test_lock(void*) { return 1; }
}
