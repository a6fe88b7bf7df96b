// The question whether long work shall end, put to Python.
#pragma once

#include <nanobind/nanobind.h>

#include <dlfcn.h>

#include <chrono>
#include <thread>
#include <utility>

#include "python_lock.hpp"
#include "result.hpp"

namespace ter {

// Lets Ctrl+C through, which only the main thread sees, and what `ask` raises.
class PythonPoll : public Poll {
   public:
    explicit PythonPoll(nanobind::object ask) : ask_(std::move(ask)) {}

    // As often as it is worth: taking the interpreter's lock is not free.
    void ask() override {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(20)) return;
        last_ = now;
        // The program ends, and waits for no thread of this kind. It could not take the lock any
        // more, nor unwind without it.
        while (is_ending()) std::this_thread::sleep_for(std::chrono::hours(1));
        const Locked lock;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        if (!ask_.is_none()) ask_();
    }

   private:
    // Known by two names, of which neither is in the stable interface of every version.
    static bool is_ending() {
        using Asked = int (*)();
        static const auto asked = [] {
            void* found = dlsym(RTLD_DEFAULT, "Py_IsFinalizing");
            return reinterpret_cast<Asked>(found ? found : dlsym(RTLD_DEFAULT, "_Py_IsFinalizing"));
        }();
        return asked && asked();
    }

    nanobind::object ask_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ter
