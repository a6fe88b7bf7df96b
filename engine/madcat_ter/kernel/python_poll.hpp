// The question whether long work shall end, put to Python.
#pragma once

#include <nanobind/nanobind.h>

#include <chrono>
#include <thread>
#include <utility>

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
        nanobind::gil_scoped_acquire lock;
        if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
        if (!ask_.is_none()) ask_();
    }

   private:
    static bool is_ending() {
#if PY_VERSION_HEX >= 0x030D0000
        return Py_IsFinalizing();
#else
        return _Py_IsFinalizing();
#endif
    }

    nanobind::object ask_;
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace ter
