// The canonical path through a matrix, and what it says about each word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "columns.hpp"

namespace ter {

// Columns of a shifted output: up to `split` they are those of the output itself.
struct Spliced {
    const Forward& before;
    const Forward& after;
    int split;

    const Forward& at(int j) const { return j <= split ? before : after; }
};

// The path from the end to the beginning; ties: diagonal, then I, then D.
inline void trace(const Spliced& columns, const Vocabulary& words, const std::int32_t* hyp, int n,
                  int m, std::vector<char>& backwards) {
    backwards.resize(static_cast<std::size_t>(n) + m);
    char* out = backwards.data();
    const std::size_t width = words.width;
    const std::int32_t* ref = words.ref.data();
    int i = m, j = n;
    while (i > 0 && j > 0) {
        const std::size_t w = static_cast<std::size_t>(i - 1) / kRows;
        const int bit = (i - 1) % kRows;
        if ((columns.at(j).diagonal[width * j + w] >> bit) & 1) {
            *out++ = ref[i - 1] == hyp[j - 1] ? ' ' : 'S';
            --i;
            --j;
        } else if ((columns.at(j - 1).down[width * (j - 1) + w] >> bit) & 1) {
            *out++ = 'I';
            --j;
        } else {
            *out++ = 'D';
            --i;
        }
    }
    for (; j > 0; --j) *out++ = 'I';
    for (; i > 0; --i) *out++ = 'D';
    backwards.resize(static_cast<std::size_t>(out - backwards.data()));
}

// Whether tercom's beam cannot touch this path of the unpruned matrix: no cell of it lies more than
// `beam` above the least value of its column. Then the search with the beam finds this very path
// (docs/engine.md has the proof). Three tests, from the cheapest on.
inline bool beyond_the_beam(const Spliced& columns, const std::vector<char>& backwards,
                            int width, int n, int m, int beam) {
    int i = 0, j = 0, cost = 0;
    int floor = 0;  // the least value of an earlier column; minima never fall from left to right
    for (auto step = backwards.rbegin(); step != backwards.rend(); ++step) {
        i += *step != 'I';
        j += *step != 'D';
        cost += *step != ' ';
        if (cost - floor <= beam || j < 1 || j >= n) continue;
        if (cost + std::abs(i - j) <= 2 * beam + 1) continue;
        const Forward& column = columns.at(j);
        const std::size_t at = static_cast<std::size_t>(width) * j;
        floor = column_minimum(column.up.data() + at, column.down.data() + at, m, j);
        if (cost - floor > beam) return false;
    }
    return true;
}

// What the path says about each word.
class Marks {
   public:
    void read(const std::vector<char>& backwards, int n, int m, int width) {
        m_ = m;
        n_ = n;
        width_ = width;
        place.resize(m);
        at_least_.resize(static_cast<std::size_t>(n) + 1);
        next_wrong.resize(static_cast<std::size_t>(n) + 1);
        wrong_rows_.assign(static_cast<std::size_t>(width) * kLongestShift, 0);
        int i = 0, j = 0, filled = 0, pending = 0;
        for (auto step = backwards.rbegin(); step != backwards.rend(); ++step) {
            const bool wrong = *step != ' ';
            if (*step != 'D') {
                if (wrong) {
                    while (pending <= j) next_wrong[pending++] = j;
                }
                ++j;
            }
            if (*step != 'I') {
                place[i] = j - 1;
                while (filled < j) at_least_[filled++] = i;
                if (wrong) wrong_rows_[i / kRows] |= Word{1} << (i % kRows);
                ++i;
            }
        }
        while (filled <= n) at_least_[filled++] = m;
        while (pending <= n) next_wrong[pending++] = n;
        // Row a of set l: whether any of the reference words a..a+l is wrong.
        for (int l = 1; l < kLongestShift; ++l) {
            const Word* before = wrong_rows(l - 1);
            Word* here = wrong_rows_.data() + static_cast<std::size_t>(width) * l;
            for (int w = 0; w < width; ++w) {
                const Word carry = w + 1 < width ? before[w + 1] << 63 : 0;
                here[w] = wrong_rows_[w] | (before[w] >> 1) | carry;
            }
        }
    }

    // The first reference position whose place is `h` or later.
    int first_at(int h) const { return h <= -1 ? 0 : h > n_ ? m_ : at_least_[h]; }

    const Word* wrong_rows(int l) const {
        return wrong_rows_.data() + static_cast<std::size_t>(width_) * l;
    }

    std::vector<std::int32_t> place;       // for each reference word, how far the output was: never falls
    std::vector<std::int32_t> next_wrong;  // the first wrong output word from here on, or n

   private:
    int n_ = 0, m_ = 0, width_ = 1;
    std::vector<std::int32_t> at_least_;
    std::vector<Word> wrong_rows_;
};

}  // namespace ter
