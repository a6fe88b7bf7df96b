// What a search gives back, and the limits and costs it works under.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ter {

// Most words in one shift: tercom 0.7.25 has no option for it.
inline constexpr int kLongestShift = 10;

struct Costs {
    double match = 0, shift = 1, insertion = 1, deletion = 1, substitution = 1;

    bool unit() const {
        return match == 0 && shift == 1 && insertion == 1 && deletion == 1 && substitution == 1;
    }
};

struct Limits {
    int beam = 20;  // negative: none
    int max_distance = 50;
};

// The block start..end of the output, as it stood, goes behind its word `newloc` (-1: the front),
// because it belongs behind word `moveto` of the reference.
struct Shift {
    std::int32_t start, end, moveto, newloc;
};

struct Result {
    double cost = 0;
    std::string path;  // ' ', 'S', 'I', 'D' over the shifted output and the reference
    std::vector<Shift> shifts;

    void clear() {
        cost = 0;
        path.clear();
        shifts.clear();
    }
};

// Lets long work be ended from outside: told of work done, it asks now and then, and throws if it
// shall end.
class Poll {
   public:
    virtual ~Poll() = default;

    // `steps` of about a nanosecond each.
    void work(std::size_t steps) {
        done_ += steps;
        if (done_ < kBetween) return;
        done_ = 0;
        ask();
    }

   protected:
    virtual void ask() = 0;

   private:
    static constexpr std::size_t kBetween = 2'000'000;

    std::size_t done_ = 0;
};

}  // namespace ter
