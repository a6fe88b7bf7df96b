// 64 rows of a column, from any multiple of 8 on.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "bits.hpp"

namespace ter {

// Where a window can begin: the highest such row that is not below `row`.
inline int window_top(int row) { return row < 0 ? 0 : row & ~7; }

// The 64 bits from bit `top` on, which is a multiple of 8. The word behind the last one is read too.
inline Word window_of(const Word* bits, int top) {
    if constexpr (std::endian::native == std::endian::little) {
        Word found;
        std::memcpy(&found, reinterpret_cast<const char*>(bits) + top / 8, sizeof found);
        return found;
    } else {
        const int w = top / kRows, bit = top % kRows;
        return bit ? bits[w] >> bit | bits[w + 1] << (kRows - bit) : bits[w];
    }
}

// Words behind the last that window_of() reads, and what reads several words of a column at once.
inline constexpr int kBehindWindow = 5;

// The rises and falls of one word of rows, on their way from one column to the next. The row above
// them is entered at a cost of 1 a column, which can always be had.
struct WindowColumn {
    Word up, down;

    void step(Word equal) {
        const Word zero = (((equal & up) + up) ^ up) | equal | down;
        const Word h_up = ((down | ~(zero | up)) << 1) | 1, h_down = (zero & up) << 1;
        up = h_down | ~(zero | h_up);
        down = h_up & zero;
    }

    // The last of the first `rows` rows less the row above them.
    int sum(int rows) const {
        const Word mask = low_bits(rows);
        return std::popcount(up & mask) - std::popcount(down & mask);
    }
};

// Windows of several columns side by side: each column waits for the one before it, so that eight
// walks take hardly longer than one. Compilers make of it what the processor has.
class WindowLanes {
   public:
    static constexpr int kMost = 8;

    void begin(int lanes, int longest) {
        lanes_ = lanes;
        if (equal_.size() < static_cast<std::size_t>(longest)) equal_.resize(longest);
    }

    // One lane: the column that it starts from, and the rows of each of its `length` words in turn.
    template <typename Equal>
    void set(int lane, const WindowColumn& column, int length, const Equal& equal) {
        const int half = lane / kHalf, at = lane % kHalf;
        up_[half][at] = column.up;
        down_[half][at] = column.down;
        length_[lane] = length;
        for (int t = 0; t < length; ++t) equal_[t].half[half][at] = equal(t);
    }

    // Walk all lanes to their ends.
    void run() {
        int order[kMost];
        for (int lane = 0; lane < lanes_; ++lane) {
            int at = lane;
            for (; at > 0 && length_[order[at - 1]] > length_[lane]; --at) order[at] = order[at - 1];
            order[at] = lane;
        }
        Half up_a = up_[0], down_a = down_[0], up_b = up_[1], down_b = down_[1];
        int t = 0;
        for (int k = 0; k < lanes_; ++k) {
            const int lane = order[k];
            // Lanes that have ended go on with what is left of other runs, and nobody looks.
            for (const int end = length_[lane]; t < end; ++t) {
                step(equal_[t].half[0], up_a, down_a);
                step(equal_[t].half[1], up_b, down_b);
            }
            const Half &up = lane < kHalf ? up_a : up_b, &down = lane < kHalf ? down_a : down_b;
            found_[lane] = {up[lane % kHalf], down[lane % kHalf]};
        }
    }

    const WindowColumn& operator[](int lane) const { return found_[lane]; }

   private:
    static constexpr int kHalf = kMost / 2;
    using Half = Word __attribute__((vector_size(kHalf * sizeof(Word))));
    struct Lanes {
        Half half[2];
    };

    static void step(const Half& equal, Half& up, Half& down) {
        const Half zero = (((equal & up) + up) ^ up) | equal | down;
        const Half h_up = ((down | ~(zero | up)) << 1) | 1, h_down = (zero & up) << 1;
        up = h_down | ~(zero | h_up);
        down = h_up & zero;
    }

    int lanes_ = 0;
    int length_[kMost] = {};
    Half up_[2] = {}, down_[2] = {};
    WindowColumn found_[kMost] = {};
    std::vector<Lanes> equal_;
};

}  // namespace ter
