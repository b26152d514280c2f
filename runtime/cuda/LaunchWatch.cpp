#include "LaunchWatch.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <thread>
#include <utility>

#include <fmt/format.h>

namespace hone::cuda {

namespace {

constexpr double firstNotice = 5;  // seconds; each notice comes after twice the time of the one before
constexpr auto betweenLooks = std::chrono::milliseconds(100);

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

LaunchWatch::Turn::Turn(LaunchWatch& of, std::string kernel, double seconds, const char* option, bool isQuiet)
    : watch(of) {
  const std::lock_guard held(watch.lock);
  watch.kernel = std::move(kernel);
  watch.begin = secondsNow();
  watch.limit = seconds;
  watch.option = option;
  watch.notice = firstNotice;
  watch.isQuiet = isQuiet;
  watch.isRunning = true;
  watch.isExpired = false;
  if (std::exchange(watch.isStarted, true)) return;
  // Signals are for the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([watcher = &watch] { watcher->run(); }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

LaunchWatch::Turn::~Turn() {
  const std::lock_guard held(watch.lock);
  watch.isRunning = false;
}

std::string LaunchWatch::reason(double seconds, const char* option) {
  return fmt::format("no end after {:g} seconds: an endless loop or a deadlock? ({} raises the limit)",
                     seconds, option);
}

void LaunchWatch::run() {
  for (;; std::this_thread::sleep_for(betweenLooks)) {
    const std::lock_guard held(lock);
    if (!isRunning) continue;
    const double seconds = secondsNow() - begin;
    if (limit > 0 && seconds >= limit) isExpired = true;
    if (isExpired || isQuiet || seconds < notice) continue;
    fmt::print(stderr, "hone: kernel `{}` has been running for {:.0f} s{}\n", kernel, seconds,
               limit > 0 ? fmt::format("; it is ended after {:g} s ({})", limit, option) : "");
    notice *= 2;
  }
}

}  // namespace hone::cuda
