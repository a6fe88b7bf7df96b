// Pairs shared out among threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "python_poll.hpp"
#include "result.hpp"

namespace ter {

// Thrown in a thread whose work nobody waits for any more.
struct Stopped {};

// What the threads of a batch share: whether they shall end, and whether they have.
class Team {
   public:
    std::atomic<bool> stop{false};

    void leave() {
        const std::lock_guard<std::mutex> lock(guard_);
        --at_work_;
        left_.notify_all();
    }

    // Wait until all have left, and go on asking.
    void wait(PythonPoll& poll) {
        std::unique_lock<std::mutex> lock(guard_);
        while (!left_.wait_for(lock, std::chrono::milliseconds(20), [this] { return at_work_ == 0; })) {
            lock.unlock();
            poll.ask();
            lock.lock();
        }
    }

    explicit Team(int size) : at_work_(size) {}

   private:
    std::mutex guard_;
    std::condition_variable left_;
    int at_work_;
};

// For the threads that Python does not know.
class TeamPoll : public Poll {
   public:
    explicit TeamPoll(const Team& team) : team_(team) {}

    void ask() override {
        if (team_.stop) throw Stopped{};
    }

   private:
    const Team& team_;
};

// Let `jobs` threads, the caller's own among them, work on all pairs. `make` is called once in each
// thread with its number, and gives what is called with each of its pairs and the thread's poll.
// What one of them throws ends them all and is thrown here.
template <typename Make>
void share_out(std::size_t pairs, int jobs, PythonPoll& ask, const Make& make) {
    std::exception_ptr failure;
    std::atomic<std::size_t> next{0};
    std::mutex guard;
    Team team(jobs);
    // Small portions, so that the threads finish together however the lengths are spread.
    const std::size_t portion = std::clamp<std::size_t>(pairs / (jobs * 32), 1, 64);
    const auto work = [&](int thread) {
        TeamPoll team_poll(team);
        // Python can only be asked in the caller's own thread.
        Poll& own_poll = thread == 0 ? static_cast<Poll&>(ask) : team_poll;
        try {
            auto one = make(thread);
            for (;;) {
                const std::size_t first = next.fetch_add(portion);
                if (first >= pairs) break;
                for (std::size_t k = first; k < std::min(first + portion, pairs); ++k)
                    one(k, own_poll);
            }
            if (thread == 0) {
                team.leave();
                team.wait(ask);
                return;
            }
        } catch (...) {
            const std::lock_guard<std::mutex> lock(guard);
            if (!failure) failure = std::current_exception();
            next = pairs;
            team.stop = true;
        }
        if (thread != 0) team.leave();
    };
    std::vector<std::thread> threads;
    for (int thread = 1; thread < jobs; ++thread) threads.emplace_back(work, thread);
    work(0);
    for (std::thread& thread : threads) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace ter
