// The canonical path through a matrix, and what it says about each word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "columns.hpp"
#include "result.hpp"

namespace ter {

// Columns of a shifted output: up to `split` they are those of the output itself.
struct Spliced {
    const Forward& before;
    const Forward& after;
    int split;

    const Forward& at(int j) const { return j <= split ? before : after; }
};

// Where a path joins one that was there before, and is the same from there to the beginning.
struct Joint {
    int row = 0, column = 0;
    std::size_t steps = 0;  // up to there
};

// What the path says about each word.
class Marks {
   public:
    // All of it, or from where it joins the path that was read before on.
    void read(const std::vector<char>& backwards, int n, int m, int width, const Joint& joint) {
        begin(n, m, width, joint);
        if (n <= kRows && m <= kRows)
            walk<true>(backwards, joint);
        else
            walk<false>(backwards, joint);
        end();
    }

    // trace() and read() in one, for n and m of 1..64, where most words agree: runs of them are
    // foretold well.
    void trace_runs(const Forward& columns, const Vocabulary& vocabulary, const std::int32_t* hyp,
                    int n, int m, std::vector<char>& backwards) {
        begin(n, m, 1, {});
        backwards.resize(static_cast<std::size_t>(n) + m);
        char* out = backwards.data();
        const std::int32_t* ref = vocabulary.ref.data();
        std::int32_t *at_least = at_least_.data(), *places = place.data();
        Word words = 0, rows = 0;
        int i = m, j = n;
        for (;;) {
            while (i > 0 && j > 0 && ref[i - 1] == hyp[j - 1]) {
                *out++ = ' ';
                at_least[--j] = --i;
                places[i] = j;
            }
            if (i == 0 && j == 0) break;
            const bool slant = i > 0 && j > 0 && (columns.diagonal[j] >> (i - 1)) & 1;
            const bool falls = i == 0 || (j > 0 && (columns.down[j - 1] >> (i - 1)) & 1);
            *out++ = slant ? 'S' : falls ? 'I' : 'D';
            const int at = j - 1;
            if (slant || falls) words |= Word{1} << --j;
            if (slant || !falls) {
                rows |= Word{1} << --i;
                places[i] = at;
            }
            if (slant || falls) at_least[j] = i;
        }
        backwards.resize(static_cast<std::size_t>(out - backwards.data()));
        wrong_words_[0] = words;
        wrong_rows_[0] = rows;
        end();
    }

    // The same where they do not: without branches on the steps.
    void trace_short(const Forward& columns, const Vocabulary& vocabulary, const std::int32_t* hyp,
                     int n, int m, std::vector<char>& backwards) {
        begin(n, m, 1, {});
        backwards.resize(static_cast<std::size_t>(n) + m);
        char* out = backwards.data();
        const std::int32_t* ref = vocabulary.ref.data();
        const Word *diagonal = columns.diagonal.data(), *down = columns.down.data();
        std::int32_t *at_least = at_least_.data(), *places = place.data();
        Word words = 0, rows = 0;
        int i = m, j = n;
        while (i > 0 && j > 0) {
            const unsigned slant = (diagonal[j] >> (i - 1)) & 1, falls = (down[j - 1] >> (i - 1)) & 1;
            const unsigned same = ref[i - 1] == hyp[j - 1];
            const unsigned of_output = slant | falls, of_reference = slant | (falls ^ 1);
            const Word wrong = (slant & same) ^ 1;
            *out++ = "DIS "[slant << 1 | (slant ? same : falls)];
            const int at = j - 1;
            j -= static_cast<int>(of_output);
            i -= static_cast<int>(of_reference);
            words |= (wrong & of_output) << (j & 63);
            rows |= (wrong & of_reference) << (i & 63);
            // A step that takes no word of a side writes where nobody reads.
            at_least[of_output ? j : n + 1] = i;
            places[of_reference ? i : m] = at;
        }
        for (; j > 0; --j) {
            *out++ = 'I';
            at_least[j - 1] = 0;
            words |= Word{1} << (j - 1);
        }
        for (; i > 0; --i) {
            *out++ = 'D';
            places[i - 1] = -1;
            rows |= Word{1} << (i - 1);
        }
        backwards.resize(static_cast<std::size_t>(out - backwards.data()));
        wrong_words_[0] = words;
        wrong_rows_[0] = rows;
        end();
    }

    // The first reference position whose place is `h` or later.
    int first_at(int h) const { return h <= -1 ? 0 : h > n_ ? m_ : at_least_[h]; }

    // Where the path leaves column j for the next, and after how many steps; not where both sides
    // have at most 64 words.
    int row(int j) const { return at_least_[j]; }
    std::size_t steps(int j) const { return static_cast<std::size_t>(steps_[j]); }

    // How far the first wrong output word is from `start`, if that is less than kLongestShift.
    int next_wrong(int start) const {
        const int w = start / kRows, bit = start % kRows;
        Word here = wrong_words_[w] >> bit;
        if (bit) here |= wrong_words_[w + 1] << (kRows - bit);
        return here ? std::countr_zero(here) : kRows;
    }

    // The output words first..first+63, `first` a multiple of 64, from which the first wrong one is
    // less than kLongestShift words away.
    Word near_wrong(int first) const {
        const Word here = wrong_words_[first / kRows], next = wrong_words_[first / kRows + 1];
        Word found = here;
        for (int k = 1; k < kLongestShift; ++k) found |= here >> k | next << (kRows - k);
        return found;
    }

    const Word* wrong_rows(int l) const {
        return wrong_rows_.data() + static_cast<std::size_t>(width_) * l;
    }

    // For each reference word, how far the output was: the index of its last word; never falls.
    std::vector<std::int32_t> place;

    // first_at() for 0..n as an array, and the wrong words of the output as bits.
    const std::int32_t* first_at_array() const { return at_least_.data(); }
    Word wrong_words() const { return wrong_words_[0]; }

   private:
    void begin(int n, int m, int width, const Joint& joint) {
        m_ = m;
        n_ = n;
        width_ = width;
        // One place more than words: a step writes where the next word of either side belongs.
        place.resize(static_cast<std::size_t>(m) + 1);
        at_least_.resize(static_cast<std::size_t>(n) + 2);
        steps_.resize(static_cast<std::size_t>(n) + 1);
        wrong_words_.resize(static_cast<std::size_t>(n) / kRows + 2);
        wrong_rows_.resize(static_cast<std::size_t>(width) * kLongestShift + kBehindWindow);
        forget(wrong_words_.data(), static_cast<int>(wrong_words_.size()), joint.column);
        forget(wrong_rows_.data(), width, joint.row);
    }

    // All bits from `first` on.
    static void forget(Word* words, int count, int first) {
        int w = first / kRows;
        if (w < count) words[w++] &= low_bits(first % kRows);
        for (; w < count; ++w) words[w] = 0;
    }

    void end() {
        at_least_[n_] = m_;
        // Row a of set l: whether any of the reference words a..a+l is wrong.
        for (int l = 1; l < kLongestShift; ++l) {
            const Word* before = wrong_rows(l - 1);
            Word* here = wrong_rows_.data() + static_cast<std::size_t>(width_) * l;
            for (int w = 0; w < width_; ++w) {
                const Word carry = w + 1 < width_ ? before[w + 1] << 63 : 0;
                here[w] = wrong_rows_[w] | (before[w] >> 1) | carry;
            }
        }
    }

    // Without branches on the steps, which cannot be foretold. Where both sides fit into one word
    // the sets stay in registers.
    template <bool kOne>
    void walk(const std::vector<char>& backwards, const Joint& joint) {
        std::int32_t* at_least = at_least_.data();
        std::int32_t* places = place.data();
        std::int32_t* steps = steps_.data();
        Word words = 0, rows = 0;
        int i = joint.row, j = joint.column;
        auto taken = static_cast<std::int32_t>(joint.steps);
        const char* const end = backwards.data() + backwards.size();
        for (const char* step = end - taken; step != backwards.data(); ++taken) {
            --step;
            const bool of_output = *step != 'D', of_reference = *step != 'I';
            const Word wrong = *step != ' ';
            at_least[j] = i;
            if (!kOne) steps[j] = taken;
            if (kOne) {
                words |= (wrong & of_output) << (j & 63);
                rows |= (wrong & of_reference) << (i & 63);
            } else {
                wrong_words_[j / kRows] |= (wrong & of_output) << (j % kRows);
                if (of_reference) wrong_rows_[i / kRows] |= wrong << (i % kRows);
            }
            j += of_output;
            places[i] = j - 1;
            i += of_reference;
        }
        if (kOne) {
            wrong_words_[0] = words;
            wrong_rows_[0] = rows;
        }
    }

    int n_ = 0, m_ = 0, width_ = 1;
    std::vector<std::int32_t> at_least_, steps_;
    std::vector<Word> wrong_rows_, wrong_words_;
};

// The path of the output before a shift, and its steps, last one first.
struct Former {
    const Marks& marks;
    const std::vector<char>& backwards;
};

// The path from the end to the beginning; ties: diagonal, then I, then D. It goes on as `former`,
// if there is one, where it meets it before the split.
inline Joint trace(const Spliced& columns, const Vocabulary& words, const std::int32_t* hyp, int n,
                   int m, const Former* former, std::vector<char>& backwards) {
    backwards.resize(static_cast<std::size_t>(n) + m);
    char* out = backwards.data();
    const std::size_t width = words.width;
    const std::int32_t* ref = words.ref.data();
    int i = m, j = n;
    Joint joint;
    const int split = former ? columns.split : 0;
    while (i > 0 && j > 0) {
        if (j <= split && former->marks.row(j) == i) {
            joint = {i, j, former->marks.steps(j)};
            break;
        }
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
    if (joint.steps) {
        out = std::copy(former->backwards.end() - static_cast<std::ptrdiff_t>(joint.steps),
                        former->backwards.end(), out);
    } else {
        for (; j > 0; --j) *out++ = 'I';
        for (; i > 0; --i) *out++ = 'D';
    }
    backwards.resize(static_cast<std::size_t>(out - backwards.data()));
    return joint;
}

// Whether tercom's beam cannot touch this path of the unpruned matrix: no cell of it lies more than
// `beam` above the least value of its column. Then the search with the beam finds this very path
// (docs/engine.md has the proof). Three tests, from the cheapest on. The path that it joins is known
// to be such a one.
inline bool beyond_the_beam(const Spliced& columns, const std::vector<char>& backwards,
                            const Joint& joint, int width, int n, int m, int beam) {
    const auto known = backwards.rbegin() + static_cast<std::ptrdiff_t>(joint.steps);
    int i = joint.row, j = joint.column;
    int cost = static_cast<int>(joint.steps) -
               static_cast<int>(std::count(backwards.rbegin(), known, ' '));
    int floor = 0;  // the least value of an earlier column; minima never fall from left to right
    for (auto step = known; step != backwards.rend(); ++step) {
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

}  // namespace ter
