// The columns of the search with the beam, kept for the current output, so that a shifted one is
// searched from the first word that changed and no farther than its fate is known.
//
// A cell counts if it lies no more than the beam above the best diagonal arrival in its column; such
// cells alone lead on, so they are all that a column hands to the next. A row is one byte: how much
// nearer it is than a base of the column, so that 0 is far away, and less than `least` counts for
// nothing. What the shifts leave to the right is decided by two facts: no path can come in under the
// rows' values and the true distances from there on; and once a column differs from the current
// output's by one number everywhere, the rest of both goes alike.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "columns.hpp"
#include "exchange.hpp"
#include "lanes.hpp"
#include "result.hpp"
#include "vocabulary.hpp"

namespace ter {

class BeamColumns {
   public:
    // The widest beam that fits into bytes.
    static constexpr int kMostBeam = 50;

    void begin(const Vocabulary& words, int n, int m, int beam) {
        words_ = &words;
        n_ = n;
        m_ = m;
        beam_ = beam;
        kept_.clear();
        arena_.clear();
    }

    // Whether within() can answer.
    bool usable() const { return beam_ >= 0 && beam_ <= kMostBeam && n_ > 1; }

    // The output has changed behind its first p words.
    void change_behind(int p) {
        if (static_cast<int>(kept_.size()) <= p) return;
        arena_.resize(kept_[p].at);
        kept_.resize(p);
    }

    // Whether the cost with the beam after the exchange is `limit` or less; `cost` is that of the
    // output as it stands. Columns of `backward` from x.r on are there, if it is not null.
    bool within(const std::int32_t* hyp, const Exchange& x, int cost, int limit,
                const Backward* backward, Poll* poll) {
        const std::size_t size = static_cast<std::size_t>(lanes_for(m_ + 1) + 1) * kLanes;
        for (auto& buffer : trial_)
            if (buffer.size() < size) buffer.resize(size);
        int j = x.p, turn = 0;
        Column column;
        if (j == 0) {
            column = first_column(hyp[source(x, 0)], trial_[0].data());
            turn = j = 1;
        } else {
            reach(hyp, j);
            column = kept(j);
        }
        for (int check = x.r;; ++j) {
            if (column.stuck) return column.value(m_) + (n_ - j) <= limit;
            if (j >= check) {
                if (backward && !reaches(column, *backward, j, limit)) return false;
                if (j > x.r) {
                    reach(hyp, j);
                    if (const auto ahead = difference(column, kept(j))) return cost + *ahead <= limit;
                }
                check = j + kBetweenChecks;
            }
            const Word* equal = words_->rows(hyp[source(x, j)]);
            if (j + 1 == n_) return last_value(column, equal) <= limit;
            column = step(column, equal, trial_[turn].data());
            turn ^= 1;
            if (poll) poll->work(static_cast<std::size_t>(column.last - column.first) * kLanes / 2);
        }
    }

   private:
    static constexpr int kBetweenChecks = 8;

    // Rows first * kLanes .. last * kLanes - 1; what lies outside counts for nothing.
    struct Column {
        const std::uint8_t* rows = nullptr;
        int first = 0, last = 0;
        int base = 0;   // a row's value is base - its byte
        int least = 1;  // the byte from which on a row counts
        bool stuck = false;  // only the last row counts, from where no diagonal leads on

        int value(int row) const { return base - rows[row - first * kLanes]; }
    };

    struct Kept {
        std::size_t at;
        Column column;  // its rows are at `at`
    };

    // The byte of the best diagonal arrival after a rebase. Above it, the last row can be nearer by
    // a little more than the beam, and a lower bound looks one set of lanes ahead.
    int top() const { return 255 - kLanes - beam_ - 4; }

    Column kept(int j) const {
        Column column = kept_[j - 1].column;
        column.rows = arena_.data() + kept_[j - 1].at;
        return column;
    }

    // Columns 1..j of the current output.
    void reach(const std::int32_t* hyp, int j) {
        const std::size_t room = static_cast<std::size_t>(lanes_for(m_ + 1) + 1) * kLanes;
        while (static_cast<int>(kept_.size()) < j) {
            const std::size_t at = arena_.size();
            arena_.resize(at + room);
            const int done = static_cast<int>(kept_.size());
            const Column column =
                done == 0 ? first_column(hyp[0], arena_.data() + at)
                          : step(kept(done), words_->rows(hyp[done]), arena_.data() + at);
            arena_.resize(at + static_cast<std::size_t>(column.last - column.first) * kLanes);
            kept_.push_back({at, column});
        }
    }

    // Column 1, from a column 0 in which every row is as far as its number and all rows count.
    Column first_column(std::int32_t word, std::uint8_t* out) const {
        const Word* equal = words_->rows(word);
        const int best = equal[0] & 1 ? 0 : 1;
        const int rows = std::min(m_, best + beam_ + 1) + 1;
        Column column{out, 0, lanes_for(rows), top() + best, top() - beam_, false};
        std::fill_n(out, static_cast<std::size_t>(column.last) * kLanes, 0);
        bool seen = false;
        for (int row = 0; row < rows; ++row) {
            if (row > 0) seen |= (equal[(row - 1) / kRows] >> ((row - 1) % kRows)) & 1;
            out[row] = static_cast<std::uint8_t>(column.base - (row > 0 ? row - seen : 1));
        }
        return column;
    }

    // The next column. `out` has room for all rows.
    Column step(Column from, const Word* equal, std::uint8_t* out) const {
        narrow(from);
        if (from.stuck) {  // one more insertion
            std::copy_n(from.rows, (from.last - from.first) * kLanes, out);
            from.rows = out;
            ++from.base;
            return from;
        }
        Column next{out, from.first, from.first, from.base, 0, false};
        LaneStep lanes(m_);
        for (int v = from.first; v < from.last; ++v)
            lanes.go(from.rows + (v - from.first) * kLanes, from.least, v, half(equal, v),
                     out + (v - from.first) * kLanes);
        const int best = lanes.best_offer();
        next.last = from.last;
        if (best == 0) {  // nothing but the last row: what comes is insertions
            next.stuck = true;
            next.least = 1;
            return next;
        }
        next.least = best - beam_;
        while (next.last * kLanes <= m_ &&
               lanes.go_on(next.last, next.least, out + (next.last - next.first) * kLanes))
            ++next.last;
        if (next.least < beam_ + 8) {
            const int more = top() - best;
            raise(out, (next.last - next.first) * kLanes, next.least, more);
            next.base += more;
            next.least += more;
        }
        return next;
    }

    // The last column is never pruned, and its deletions lead to the last row.
    int last_value(const Column& column, const Word* equal) const {
        int least = kFar;
        for (int row = column.first * kLanes; row < column.last * kLanes && row <= m_; ++row) {
            const int near = column.rows[row - column.first * kLanes];
            if (near < column.least) continue;
            const bool same = row < m_ && (equal[row / kRows] >> (row % kRows)) & 1;
            const int left = row == m_ ? 1 : m_ - row - same;
            least = std::min(least, column.base - near + left);
        }
        return least;
    }

    // Whether a row that counts and the true distance from there on come in under the limit.
    bool reaches(const Column& column, const Backward& backward, int j, int limit) const {
        const ColumnView rest = backward.column(j);
        for (int v = column.first; v < column.last; ++v) {
            const int w = v * kLanes / kRows;
            if (w >= words_->width) {
                // Only the last row is left, where the reference ends.
                if (column.rows[(v - column.first) * kLanes] >= column.least &&
                    column.value(m_) + (n_ - j) <= limit)
                    return true;
                continue;
            }
            int value = rest.edge[w];
            if (v * kLanes % kRows)
                value += std::popcount(rest.up[w] & low_bits(kLanes)) -
                         std::popcount(rest.down[w] & low_bits(kLanes));
            if (any_reaches(column.rows + (v - column.first) * kLanes, column.least, half(rest.up, v),
                            half(rest.down, v), column.base + value - limit))
                return true;
        }
        return false;
    }

    // By how much the first column is above the other, if all rows that count are so.
    static std::optional<int> difference(Column one, Column other) {
        narrow(one);
        narrow(other);
        if (one.first != other.first || one.last != other.last || one.stuck || other.stuck)
            return std::nullopt;
        const auto near = same_but_for_one_number(one.rows, one.least, other.rows, other.least,
                                                  (one.last - one.first) * kLanes);
        if (!near) return std::nullopt;
        return one.base - other.base - *near;
    }

    // Leave out lanes at both ends in which no row counts.
    static void narrow(Column& column) {
        while (column.first + 1 < column.last && !any_counts(column.rows, column.least)) {
            ++column.first;
            column.rows += kLanes;
        }
        while (column.first + 1 < column.last &&
               !any_counts(column.rows + (column.last - 1 - column.first) * kLanes, column.least))
            --column.last;
    }

    std::uint32_t half(const Word* bits, int v) const {
        const int w = v * kLanes / kRows;
        if (w >= words_->width) return 0;
        return static_cast<std::uint32_t>(bits[w] >> (v * kLanes % kRows));
    }

    static constexpr int kFar = 1 << 29;

    const Vocabulary* words_ = nullptr;
    int n_ = 0, m_ = 0, beam_ = 0;
    std::vector<Kept> kept_;
    std::vector<std::uint8_t> arena_;
    std::vector<std::uint8_t> trial_[2];
};

}  // namespace ter
