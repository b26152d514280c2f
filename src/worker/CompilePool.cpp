#include "worker/CompilePool.h"

#include <algorithm>
#include <memory>

#include "worker/ChildProcess.h"
#include "worker/Protocol.h"

namespace hone::worker {

using nlohmann::json;

namespace {

constexpr double kCompileSeconds = 120;
constexpr unsigned kMostProcesses = 32;

unsigned processesFor(unsigned cores) {
  if (cores < 2) return 0;
  return std::clamp(cores - 2, 1u, kMostProcesses);
}

}  // namespace

CompilePool::CompilePool(std::vector<std::string> serve, unsigned processes)
    : command(std::move(serve)),
      most(processes ? processes : processesFor(std::thread::hardware_concurrency())) {}

CompilePool::~CompilePool() {
  {
    std::lock_guard lock(guard);
    isEnding = true;
  }
  changed.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void CompilePool::want(const std::string& key, json job) {
  {
    std::lock_guard lock(guard);
    if (most == 0 || entries.contains(key)) return;
    entries[key].job = std::move(job);
    waiting.push_back(key);
  }
  if (threads.size() < most) threads.emplace_back([this] { work(); });
  changed.notify_all();
}

std::optional<json> CompilePool::take(const std::string& key) {
  std::unique_lock lock(guard);
  const auto found = entries.find(key);
  if (found == entries.end()) return std::nullopt;
  // One whose turn to be measured has come is compiled before the others.
  if (auto at = std::find(waiting.begin(), waiting.end(), key); at != waiting.end()) {
    waiting.erase(at);
    waiting.push_front(key);
    changed.notify_all();
  }
  changed.wait(lock, [&] { return found->second.isDone; });
  json answer = std::move(found->second.answer);
  entries.erase(found);
  return answer;
}

void CompilePool::work() {
  std::unique_ptr<ChildProcess> child;
  std::unique_lock lock(guard);
  for (;;) {
    changed.wait(lock, [&] { return isEnding || !waiting.empty(); });
    if (isEnding) return;
    const std::string key = waiting.front();
    waiting.pop_front();
    const std::string text = entries.at(key).job.dump();
    lock.unlock();
    json answer;
    auto failed = [&](Status status, const std::string& message) {
      answer = {{"status", name(status)}, {"message", message}};
    };
    try {
      if (!child) {
        child = std::make_unique<ChildProcess>(command, true);
        child->lowerPriority();
      }
      std::string line;
      auto how = child->write(text) ? ChildProcess::Read::TimedOut : ChildProcess::Read::Ended;
      // In small steps, so that the end of all does not wait for a compiler.
      for (double waited = 0; how == ChildProcess::Read::TimedOut && waited < kCompileSeconds;
           waited += 0.25) {
        how = child->read(line, 0.25);
        std::lock_guard again(guard);
        if (isEnding) return;
      }
      if (how == ChildProcess::Read::Line) {
        answer = json::parse(line);
      } else if (how == ChildProcess::Read::TimedOut) {
        child.reset();
        failed(Status::TimedOut,
               "the compiler gave no answer within " + std::to_string(int(kCompileSeconds)) + " s");
      } else {
        const std::string ending = child->end();
        child.reset();
        failed(Status::BuildFailed, "the compiler ended: " + ending);
      }
    } catch (const std::exception& error) {
      child.reset();
      failed(Status::BuildFailed, error.what());
    }
    lock.lock();
    Entry& entry = entries.at(key);
    entry.answer = std::move(answer);
    entry.isDone = true;
    changed.notify_all();
  }
}

}  // namespace hone::worker
