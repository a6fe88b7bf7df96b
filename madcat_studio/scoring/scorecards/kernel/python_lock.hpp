// Python's lock, for threads that outlive the program they work for.
#pragma once

#include <Python.h>

#include <chrono>
#include <thread>

namespace ter {

// Python ends a thread that asks for the lock of a program that is ending, by unwinding it. That
// would come to frames that may not be left so, and abort the program: the thread waits instead,
// and goes with it.
class Waits {
   public:
    ~Waits() {
        while (waits_) std::this_thread::sleep_for(std::chrono::hours(1));
    }
    void done() { waits_ = false; }

   private:
    bool waits_ = true;
};

// Holds the lock while it lives.
class Locked {
   public:
    Locked() : state_(take()) {}
    Locked(const Locked&) = delete;
    Locked& operator=(const Locked&) = delete;
    ~Locked() { PyGILState_Release(state_); }

   private:
    __attribute__((noinline)) static PyGILState_STATE take() {
        Waits waits;
        const PyGILState_STATE state = PyGILState_Ensure();
        waits.done();
        return state;
    }

    PyGILState_STATE state_;
};

// Leaves the lock to others while it lives.
class Unlocked {
   public:
    Unlocked() : thread_(PyEval_SaveThread()) {}
    Unlocked(const Unlocked&) = delete;
    Unlocked& operator=(const Unlocked&) = delete;
    ~Unlocked() { take_back(thread_); }

   private:
    // A function of its own: a destructor lets nothing unwind, not even as far as to its own frame.
    __attribute__((noinline)) static void take_back(PyThreadState* thread) {
        Waits waits;
        PyEval_RestoreThread(thread);
        waits.done();
    }

    PyThreadState* thread_;
};

}  // namespace ter
