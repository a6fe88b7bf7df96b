// The shifts worth trying, in tercom's order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "path.hpp"
#include "result.hpp"

namespace ter {

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
        for (int start = 0; start < n; ++start) {
            const int first_wrong = marks.next_wrong(start);
            if (hyp[start] == 0 || first_wrong >= kLongestShift) continue;
            const int early = marks.first_at(start - far), late = marks.first_at(start + far + 1);
            // A block of less than first_wrong + 1 words is never moved, and none goes to where it
            // is aligned.
            const int before = marks.first_at(start), after = marks.first_at(start + first_wrong + 1);
            if (early >= late) continue;
            if (width == 1) {
                Word found =
                    *words.rows(hyp[start]) & bit_range(early, late) & ~bit_range(before, after);
                for (int l = 0; found;) {
                    if (l >= first_wrong) {
                        const Word allowed =
                            found & ~bit_range(before, marks.first_at(start + l + 1));
                        if (!allowed) break;
                        add(allowed & *marks.wrong_rows(l), 0, start, l, marks);
                    }
                    if (++l == kLongestShift || start + l >= n) break;
                    found &= *words.rows(hyp[start + l]) >> l;
                }
                continue;
            }
            const int w0 = early / kRows, w1 = words_for(late);
            const Word* rows = words.rows(hyp[start]);
            Word any = 0;
            for (int w = w0; w < w1; ++w) {
                found_[w] = rows[w] & bit_range(clip(early, w), clip(late, w)) &
                            ~bit_range(clip(before, w), clip(after, w));
                any |= found_[w];
            }
            for (int l = 0; any;) {
                if (l >= first_wrong) {
                    const int aligned = marks.first_at(start + l + 1);
                    Word left = 0;
                    for (int w = w0; w < w1; ++w) {
                        const Word allowed = found_[w] & ~bit_range(clip(before, w), clip(aligned, w));
                        left |= allowed;
                        add(allowed & marks.wrong_rows(l)[w], w * kRows, start, l, marks);
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
    }

    // Those of blocks of `l` + 1 words.
    const std::vector<Candidate>& list(int l) const { return lists_[l]; }

   private:
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

}  // namespace ter
