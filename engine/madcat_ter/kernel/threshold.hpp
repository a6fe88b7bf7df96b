// Whether a shifted output comes near enough to the reference to be worth a closer look.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "corridor.hpp"
#include "exchange.hpp"

namespace ter {

// Where the distances have changed by one number only since a shift was taken, as far as they matter:
// up to a column and from another one on.
struct Settled {
    // The longest block of which that can be said.
    static constexpr int kMoved = 1;

    int before = -1, behind = 0;
    int gain = 0;  // the number: what the shift has done to the distance
    int most = 0;  // a distance of this or more is not told apart from higher ones

    // Whether the distance after an exchange cannot have changed by less, or is `most` or more.
    bool holds(const Exchange& x) const {
        return (x.r <= before || x.p >= behind) && x.moved() <= kMoved;
    }
};

class Threshold {
   public:
    // Of a new pair; `columns` are those of the output, also when it has changed.
    void begin(const Vocabulary& words, const std::int32_t* hyp, int n, int m,
               const Forward& columns) {
        words_ = &words;
        n_ = n;
        m_ = m;
        columns_ = &columns;
        if (words.width > 1) {
            backward_.begin(words, n, m);
            if (up_.size() < static_cast<std::size_t>(words.width)) {
                up_.resize(words.width);
                down_.resize(words.width);
            }
        }
        look_again(hyp);
    }

    // The words behind the first p have changed, and none from r on.
    void change(const std::int32_t* hyp, int r) {
        if (words_->width > 1) backward_.change_before(r);
        look_again(hyp);
    }

    // Of a shift that is about to be taken and leads to the columns `now`: from where on the
    // distances will have settled, for distances up to `limit`. Only for columns of several words.
    Settled settled_behind(const Forward& now, const Exchange& taken, int limit) {
        Settled settled;
        settled.gain = now.bottom[n_] - columns_->bottom[n_];
        settled.most = limit + 1;
        settled.behind = n_ + 1;
        backward_.reach(*words_, hyp_, std::max(0, taken.p - kLookedBefore));
        for (int j = taken.r, step = 1; j <= n_; j += step, step *= 2) {
            if (!stays(now.column(j, words_->width), columns_->column(j, words_->width),
                       backward_.column(j), settled))
                continue;
            settled.behind = j;
            break;
        }
        backward_.copy(std::max(0, taken.p - kLookedBefore), taken.p, before_);
        return settled;
    }

    // The same for the words before it, when it has been taken: up to where.
    int settled_before(const Exchange& taken, const Settled& settled) {
        const int first = std::max(0, taken.p - kLookedBefore);
        for (int j = taken.p; j >= first; --j) {
            backward_.reach(*words_, hyp_, j);
            if (stays(backward_.column(j), before_.column(j - first, words_->width),
                      columns_->column(j, words_->width), settled))
                return j;
        }
        return -1;
    }

    // Whether within() or distances() answers.
    bool is_short() const { return words_->width == 1 && n_ <= kRows; }

    // The columns from the end, as far as column r. Null where there are none.
    const Backward* backward(int r) {
        if (words_->width == 1) return nullptr;
        backward_.reach(*words_, hyp_, r);
        return &backward_;
    }

    // Whether the distance after the exchange is `limit` or less. Exact either way.
    bool within(const Exchange& x, int limit) {
        if (words_->width == 1) return narrow_within(x, limit);
        if (limit <= kNear && near_asked_ < kFewAsked) {
            ++near_asked_;
            return near_within(x, limit);
        }
        return wide_within(x, rows_of(x, limit), limit);
    }

    // within() of up to kTogether exchanges, as bits. Not where distances() answers.
    static constexpr int kTogether = WindowLanes::kMost;

    unsigned within_each(const Exchange* exchanges, int count, int limit) {
        unsigned found = 0;
        const bool one_by_one = words_->width == 1 || limit <= kNear;
        Pending pending[kTogether];
        int lanes = 0, longest = 0;
        for (int k = 0; k < count; ++k) {
            const Exchange& x = exchanges[k];
            if (one_by_one) {
                found |= static_cast<unsigned>(within(x, limit)) << k;
                continue;
            }
            const Rows rows = rows_of(x, limit);
            if (rows.last < rows.first) continue;
            const int top = window_top(rows.first);
            if (rows.last - top > kRows) {
                found |= static_cast<unsigned>(wide_within(x, rows, limit)) << k;
                continue;
            }
            if (!may_be_within(x, top, limit)) continue;
            pending[lanes++] = {k, top};
            longest = std::max(longest, x.r - x.p);
        }
        if (!lanes) return found;
        lanes_.begin(lanes, longest);
        for (int lane = 0; lane < lanes; ++lane) {
            const int top = pending[lane].top;
            const Exchange& x = exchanges[pending[lane].number];
            const int after = x.r - x.q;
            lanes_.set(lane, window(x.p, top), x.r - x.p, [&](int t) {
                return window_of(words_->rows(hyp_[t < after ? x.q + t : x.p + t - after]), top);
            });
        }
        lanes_.run();
        for (int lane = 0; lane < lanes; ++lane) {
            const auto [number, top] = pending[lane];
            const bool is_within = meets(exchanges[number], top, lanes_[lane], limit);
            found |= static_cast<unsigned>(is_within) << number;
        }
        return found;
    }

    // The distances after each of two exchanges. A column waits for the one before it, so that two
    // walks side by side take hardly longer than one; and both go over the same columns, for what
    // the processor cannot foretell costs more than a few columns.
    std::pair<int, int> distances(const Exchange& x, const Exchange& y) const {
        const int first = std::min(x.p, y.p);
        WindowColumn one{columns_->up[first], columns_->down[first]}, two = one;
        for (int j = first; j < n_; ++j) {
            one.step(equal_[source(x, j)]);
            two.step(equal_[source(y, j)]);
        }
        return {n_ + one.sum(m_), n_ + two.sum(m_)};
    }

   private:
    void look_again(const std::int32_t* hyp) {
        hyp_ = hyp;
        near_asked_ = 0;
        if (is_short())
            for (int j = 0; j < n_; ++j) equal_[j] = *words_->rows(hyp[j]);
        if (words_->width > 1) corridor_.begin(n_);
    }

    // Few rows and many columns.
    bool narrow_within(const Exchange& x, int limit) const {
        WindowColumn column{columns_->up[x.p], columns_->down[x.p]};
        exchanged(x, [&](int j) { column.step(*words_->rows(hyp_[j])); });
        for (int j = x.r; j < n_; ++j) column.step(*words_->rows(hyp_[j]));
        return n_ + column.sum(m_) <= limit;
    }

    // Call `step` with the place of each word of the columns p..r after the exchange.
    template <typename Step>
    static void exchanged(const Exchange& x, const Step& step) {
        for (int j = x.q; j < x.r; ++j) step(j);
        for (int j = x.p; j < x.q; ++j) step(j);
    }

    // Where a path within the limit stays near the diagonal: on to the end, in a window that goes
    // along with it.
    bool near_within(const Exchange& x, int limit) const {
        if (std::abs(m_ - n_) > limit) return false;
        int top = window_top(x.p - kNear);
        int value = columns_->at(x.p, std::min(top, m_), words_->width) - x.p;
        WindowColumn column = window(x.p, top);
        for (int j = x.p; j < n_; ++j) {
            if (j - top >= kNear + 8) {
                value += column.sum(8);
                // What comes in from below is reached from above at the least.
                column.up = column.up >> 8 | Word{0xff} << (kRows - 8);
                column.down >>= 8;
                top += 8;
            }
            column.step(window_of(words_->rows(hyp_[source(x, j)]), top));
        }
        return value + n_ + column.sum(m_ - top) <= limit;
    }

    // Whether no row of a column has become lower by more than the gain, of those through which a
    // path can pass that leads to a distance of less than `most` after a shift.
    bool stays(const ColumnView& now, const ColumnView& former, const ColumnView& rest,
               const Settled& settled) const {
        const int most = settled.most - 1 + 2 * Settled::kMoved;
        for (int w = 0; w < words_->width; ++w) {
            const Word mask = low_bits(m_ - w * kRows);
            const Word up = now.up[w] & mask, down = now.down[w] & mask;
            const Word former_up = former.up[w] & mask, former_down = former.down[w] & mask;
            const int change = now.edge[w] - former.edge[w], start = now.edge[w] + rest.edge[w];
            if (change < settled.gain && start <= most) return false;
            if (up == former_up && down == former_down && change >= settled.gain) continue;
            const TwoColumns both{up, down, rest.up[w] & mask, rest.down[w] & mask};
            if (!any_within(both, start, most)) continue;
            const Word lower = rows_within({up, down, former_down, former_up}, change, settled.gain - 1);
            if (lower & mask && lower & mask & rows_within(both, start, most)) return false;
        }
        return true;
    }

    struct Rows {
        int first, last;
    };

    struct Pending {
        int number, top;
    };

    // The rows that a path within the limit can pass through in the columns p..r; none if there is
    // no such path.
    Rows rows_of(const Exchange& x, int limit) {
        // The exchange can mend no more than leaving the block out and putting it in.
        const int most = limit + 2 * x.moved(), width = words_->width;
        if (most < columns_->bottom[n_]) return {0, -1};
        backward_.reach(*words_, hyp_, Corridor::before(x.p));
        return {corridor_.first(x.p, most, *columns_, backward_, width, m_),
                corridor_.last(x.r, most, *columns_, backward_, width, m_)};
    }

    // The columns p..r of those rows only: values that can be had, and the right ones wherever a path
    // within the limit goes.
    bool wide_within(const Exchange& x, const Rows& rows, int limit) {
        if (rows.last < rows.first) return false;
        const int top = window_top(rows.first);
        if (rows.last - top <= kRows) {
            WindowColumn column = window(x.p, top);
            exchanged(x, [&](int j) { column.step(window_of(words_->rows(hyp_[j]), top)); });
            return meets(x, top, column, limit);
        }
        const int w0 = std::min(rows.first / kRows, words_->width - 1);
        const int w1 = std::max(w0 + 1, words_for(rows.last));
        switch (w1 - w0) {
            case 2: return band<2>(x, w0, w1, limit);
            case 3: return band<3>(x, w0, w1, limit);
            case 4: return band<4>(x, w0, w1, limit);
            default: return band<0>(x, w0, w1, limit);
        }
    }

    WindowColumn window(int j, int top) const {
        const std::size_t at = static_cast<std::size_t>(words_->width) * j;
        return {window_of(columns_->up.data() + at, top), window_of(columns_->down.data() + at, top)};
    }

    // Whether a window of column r after the exchange and what follows come in under the limit.
    bool meets(const Exchange& x, int top, const WindowColumn& column, int limit) const {
        return meets(column, columns_->at(x.p, top, words_->width) + (x.r - x.p), x.r, top, limit);
    }

    // Whether a window, with `above` in the row before it, and what column r leaves come in under it.
    bool meets(const WindowColumn& column, int above, int r, int top, int limit) const {
        const ColumnView rest = backward_.column(r);
        const Word mask = low_bits(std::min(m_ - top, kRows));
        const TwoColumns both{column.up & mask, column.down & mask,
                              window_of(rest.up, top) & mask, window_of(rest.down, top) & mask};
        return any_within(both, above + backward_.at(r, top), limit);
    }

    // False where the shorter of the two blocks cannot mend enough. Taking it away from where it
    // stood must do so but for the edits that its coming to another place can mend, one a word, and
    // the other way round.
    bool may_be_within(const Exchange& x, int top, int limit) {
        const bool first = x.q - x.p == x.moved();
        const int from = first ? x.p : x.q, behind = first ? x.q : x.r;
        const int most = limit + behind - from, width = words_->width;
        if (!meets(window(from, top), columns_->at(from, top, width), behind, top, most)) return false;
        const int to = first ? x.r : x.p;
        WindowColumn column = window(to, top);
        for (int j = from; j < behind; ++j)
            column.step(window_of(words_->rows(hyp_[j]), top));
        return meets(column, columns_->at(to, top, width) + (behind - from), to, top, most);
    }

    // Words w0..w1-1 of the columns.
    template <int kCount>
    bool band(const Exchange& x, int w0, int w1, int limit) {
        const int count = kCount ? kCount : w1 - w0;
        const std::size_t at = static_cast<std::size_t>(words_->width) * x.p;
        Word local_up[kCount ? kCount : 1], local_down[kCount ? kCount : 1];
        Word* up = kCount ? local_up : up_.data();
        Word* down = kCount ? local_down : down_.data();
        for (int w = 0; w < count; ++w) {
            up[w] = columns_->up[at + w0 + w];
            down[w] = columns_->down[at + w0 + w];
        }
        exchanged(x, [&](int j) {
            const Word* equal = words_->rows(hyp_[j]) + w0;
            Word rise = 1, fall = 0;
            for (int w = 0; w < count; ++w) Cell::step(equal[w], up[w], down[w], rise, fall);
        });
        // min over the rows of both columns' sum
        const ColumnView rest = backward_.column(x.r);
        int value = columns_->edge[at + w0] + (x.r - x.p);
        for (int w = 0; w < count; ++w) {
            const Word mask = low_bits(m_ - (w0 + w) * kRows);
            const TwoColumns both{up[w] & mask, down[w] & mask, rest.up[w0 + w] & mask,
                                  rest.down[w0 + w] & mask};
            if (any_within(both, value + rest.edge[w0 + w], limit)) return true;
            value += std::popcount(both.up1) - std::popcount(both.down1);
        }
        return false;
    }

    // How far before a shift that was taken the distances are looked at.
    static constexpr int kLookedBefore = 8;

    // The highest limit for which a window along the diagonal holds all, and how often it is asked
    // before the columns from the end are worth their making.
    static constexpr int kNear = 24, kFewAsked = 8;

    const Vocabulary* words_ = nullptr;
    const std::int32_t* hyp_ = nullptr;
    const Forward* columns_ = nullptr;
    int n_ = 0, m_ = 0, near_asked_ = 0;
    Backward backward_;
    Corridor corridor_;
    WindowLanes lanes_;
    std::array<Word, kRows> equal_{};  // where each word of a short output occurs
    std::vector<Word> up_, down_;      // of the widest bands
    Columns before_;                   // columns of backward_ as they were
};

}  // namespace ter
