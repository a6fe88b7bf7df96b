// The shifts worth trying, in tercom's order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "exchange.hpp"
#include "path.hpp"
#include "result.hpp"

namespace ter {

// Vectors are passed within one unit only, so it does not matter that processors do it differently.
#pragma GCC diagnostic ignored "-Wpsabi"

// So many words of a column are looked at together.
inline constexpr int kFew = 4;

// The rows above each row.
inline constexpr auto kAbove = [] {
    std::array<std::array<Word, kFew>, kFew * kRows + 1> table{};
    for (int row = 0; row <= kFew * kRows; ++row)
        for (int w = 0; w < kFew; ++w)
            table[row][w] = row <= w * kRows ? 0 : low_bits(row - w * kRows);
    return table;
}();

// tercom tries a block of the output if it occurs in the reference at a place that the block is not
// aligned with and not too far from, if a word of it is wrong on both sides, and then moves it behind
// each place that lies around there. What it forbids grows with the block, so all of that can be
// asked of the block itself, as sets of reference positions.
class Candidates {
   public:
    struct Candidate {
        std::int32_t start, moveto, newloc;
    };

    void collect(const Vocabulary& words, const std::int32_t* hyp, int n, const Marks& marks, int far) {
        for (auto& list : lists_) list.clear();
        const int width = words.width;
        if (n <= kRows && width == 1) {
            collect_short(words, hyp, n, marks, far);
            return;
        }
        if (found_.size() < static_cast<std::size_t>(width)) found_.resize(width);
        for (int first = 0; first < n; first += kRows) {
            Word live = marks.near_wrong(first);
            if (n - first < kRows) live &= low_bits(n - first);
            if (width <= kFew)
                from_starts<true>(words, hyp, n, marks, far, first, live);
            else
                from_starts<false>(words, hyp, n, marks, far, first, live);
        }
    }

    void swap_lists(Candidates& other) { lists_.swap(other.lists_); }

    // Those of blocks of `l` + 1 words.
    const std::vector<Candidate>& list(int l) const { return lists_[l]; }

   private:
    using Few = Word __attribute__((vector_size(kFew * sizeof(Word))));

    // Those from row `top` on, a multiple of 8.
    static Few few(const Word* words, int top = 0) {
        Few found;
        std::memcpy(&found, reinterpret_cast<const char*>(words) + top / 8, sizeof found);
        return found;
    }

    static bool any(const Few& found) {
#ifdef __AVX2__
        __m256i bits;
        std::memcpy(&bits, &found, sizeof bits);
        return !_mm256_testz_si256(bits, bits);
#else
        return (found[0] | found[1] | found[2] | found[3]) != 0;
#endif
    }

    // The rows above `row`, of those from `top` on.
    template <bool kWhole>
    static Few above(int row, int top) {
        return few(kAbove[kWhole ? row : std::clamp(row - top, 0, kFew * kRows)].data());
    }

    // Whether rows in the midst of a column can be had as they lie in memory.
    static constexpr bool kSlides = std::endian::native == std::endian::little;

    // Blocks that begin with the words first..first+63, by up to kFew words of each column: all of
    // it, or those that are near enough. What is read behind them is not looked at. First the starts
    // from where anything can come, without branches, then these.
    template <bool kWhole>
    void from_starts(const Vocabulary& words, const std::int32_t* hyp, int n, const Marks& marks,
                     int far, int first, Word live) {
        Few places[kRows];
        int tops[kRows];
        Word left = 0, many = 0;
        for (; live; live &= live - 1) {
            const int k = std::countr_zero(live), start = first + k;
            const int early = marks.first_at(start - far), late = marks.first_at(start + far + 1);
            const int top = kWhole ? 0 : window_top(early);
            if (!kWhole && (!kSlides || late - top > kFew * kRows)) {
                many |= Word{1} << k;
                continue;
            }
            // A block of less than first_wrong + 1 words is never moved, and none goes to where it
            // is aligned.
            const int aligned = marks.first_at(start + marks.next_wrong(start) + 1);
            places[k] = few(words.rows(hyp[start]), top) &
                        ~(above<kWhole>(aligned, top) & ~above<kWhole>(marks.first_at(start), top)) &
                        above<kWhole>(late, top) & ~above<kWhole>(early, top);
            tops[k] = top;
            left |= static_cast<Word>(any(places[k])) << k;
        }
        for (left |= many; left; left &= left - 1) {
            const int k = std::countr_zero(left);
            if ((many >> k) & 1)
                from_start(words, hyp, n, marks, far, first + k);
            else
                from_start_of_few<kWhole>(words, hyp, n, marks, first + k, places[k], tops[k]);
        }
    }

    template <bool kWhole>
    void from_start_of_few(const Vocabulary& words, const std::int32_t* hyp, int n,
                           const Marks& marks, int start, const Few& places, int top) {
        Few found = places;
        const int first_wrong = marks.next_wrong(start), m = marks.first_at(n);
        const Few before = above<kWhole>(marks.first_at(start), top);
        for (int l = 0; any(found);) {
            if (l >= first_wrong) {
                // Where a block is aligned, no longer one goes either.
                found &= ~(above<kWhole>(marks.first_at(start + l + 1), top) & ~before);
                if (!any(found)) break;
                const Few wrong = found & few(marks.wrong_rows(l), top);
                if (any(wrong))
                    for (int w = 0; w < kFew; ++w) add(wrong[w], top + w * kRows, start, l, marks);
            }
            if (++l == kLongestShift || start + l >= n) break;
            const Word* rows = words.rows(hyp[start + l]);
            found &= (few(rows, top) >> l | few(rows + 1, top) << (kRows - l)) &
                     above<kWhole>(std::max(0, m - l), top);
        }
    }

    // Where a column has any number of words.
    void from_start(const Vocabulary& words, const std::int32_t* hyp, int n, const Marks& marks,
                    int far, int start) {
        const int width = words.width, first_wrong = marks.next_wrong(start);
        const int early = marks.first_at(start - far), late = marks.first_at(start + far + 1);
        if (early >= late) return;
        const int before = marks.first_at(start);
        const int w0 = early / kRows, w1 = words_for(late);
        const Word* rows = words.rows(hyp[start]);
        for (int w = w0; w < w1; ++w) found_[w] = rows[w];
        found_[w0] &= ~low_bits(early - w0 * kRows);
        found_[w1 - 1] &= low_bits(late - (w1 - 1) * kRows);
        leave_out(before, marks.first_at(start + first_wrong + 1), w1);
        Word any = 0;
        for (int w = w0; w < w1; ++w) any |= found_[w];
        for (int l = 0; any;) {
            if (l >= first_wrong) {
                // Where a block is aligned, no longer one goes either.
                leave_out(before, marks.first_at(start + l + 1), w1);
                Word left = 0;
                const Word* wrong = marks.wrong_rows(l);
                for (int w = w0; w < w1; ++w) {
                    left |= found_[w];
                    add(found_[w] & wrong[w], w * kRows, start, l, marks);
                }
                if (!left) break;
            }
            if (++l == kLongestShift || start + l >= n) break;
            rows = words.rows(hyp[start + l]);
            any = 0;
            for (int w = w0; w < w1; ++w) {
                const Word above = w + 1 < width ? rows[w + 1] << (kRows - l) : 0;
                found_[w] &= (rows[w] >> l) | above;
                any |= found_[w];
            }
        }
    }

    // Take the rows first..last-1 out of what was found, which ends with word `end` - 1.
    void leave_out(int first, int last, int end) {
        for (int w = first / kRows; w < end && w * kRows < last; ++w)
            found_[w] &= ~bit_range(clip(first, w), clip(last, w));
    }

    // Of at most 64 words on both sides: first the starts from where anything can come, without
    // branches, then these.
    void collect_short(const Vocabulary& words, const std::int32_t* hyp, int n, const Marks& marks,
                       int far) {
        Word places[kRows];
        std::uint8_t first[kRows];
        const std::int32_t* first_at = marks.first_at_array();
        const Word wrong = marks.wrong_words();
        Word live = 0;
        for (int start = 0; start < n; ++start) {
            const Word ahead = wrong >> start;
            const int first_wrong = ahead ? std::countr_zero(ahead) : kRows;
            const int aligned = std::min(start + first_wrong + 1, n);
            const Word found =
                *words.rows(hyp[start]) & ~(low_bits(first_at[aligned]) & ~low_bits(first_at[start]));
            places[start] = found;
            first[start] = static_cast<std::uint8_t>(first_wrong);
            live |= static_cast<Word>((found != 0) & (first_wrong < kLongestShift)) << start;
        }
        for (; live; live &= live - 1) {
            const int start = std::countr_zero(live), first_wrong = first[start];
            Word found = places[start];
            if (far < n)
                found &= bit_range(marks.first_at(start - far), marks.first_at(start + far + 1));
            for (int l = 0; found;) {
                if (l >= first_wrong) {
                    const Word allowed =
                        found & ~bit_range(first_at[start], marks.first_at(start + l + 1));
                    if (!allowed) break;
                    add(allowed & *marks.wrong_rows(l), 0, start, l, marks);
                }
                if (++l == kLongestShift || start + l >= n) break;
                found &= *words.rows(hyp[start + l]) >> l;
            }
        }
    }

    static int clip(int row, int w) {
        const int here = row - w * kRows;
        return here < 0 ? 0 : here > kRows ? kRows : here;
    }

    void add(Word places, int base, int start, int l, const Marks& marks) {
        for (; places; places &= places - 1) {
            const int a = base + std::countr_zero(places);
            const int at = marks.place[a];
            // The same target again is the same shift, which cannot be better than it was; a target
            // just before the block, or the place where it stands, is no shift at all.
            int last = start - 1;
            for (int off = -1; off <= l; ++off) {
                if (a + off < 0) {
                    if (start != 0) lists_[l].push_back({start, -1, -1});
                    last = -1;
                    continue;
                }
                const int target = marks.place[a + off];
                if (target == last || target == start || target == start - 1 ||
                    (off != 0 && target == at))
                    continue;
                lists_[l].push_back({start, a + off, target});
                last = target;
            }
        }
    }

    std::array<std::vector<Candidate>, kLongestShift> lists_;
    std::vector<Word> found_;
};

// What a candidate of a block of `l` + 1 words does to an output of `n`.
inline Exchange exchange_of(const Candidates::Candidate& c, int l, int n) {
    const int end = c.start + l;
    if (c.newloc < c.start) return {c.newloc + 1, c.start, end + 1};
    const int passed = c.newloc > end ? c.newloc - end : c.newloc - c.start;
    return {c.start, end + 1, std::min(end + 1 + passed, n)};
}

}  // namespace ter
