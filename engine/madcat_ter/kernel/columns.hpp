// The matrix of distances, column by column, forwards and backwards.
//
// F_j[i] is the distance between the first j words of the output and the first i of the reference;
// B_j[i] that between what follows them. All costs are 1.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "vocabulary.hpp"
#include "wave.hpp"
#include "window.hpp"

namespace ter {

// One column: rises, falls, and the value at each 64th row.
struct ColumnView {
    const Word *up, *down;
    const std::int32_t* edge;
};

// A few columns that something is kept of.
struct Columns {
    std::vector<Word> up, down;
    std::vector<std::int32_t> edge;

    ColumnView column(int j, int width) const {
        const std::size_t at = static_cast<std::size_t>(width) * j;
        return {up.data() + at, down.data() + at, edge.data() + at};
    }
};

// Columns 0..n of F: rises, falls, diagonal steps, the value at each 64th row and at the last row.
class Forward {
   public:
    void reserve(int n, int width) {
        const std::size_t size = static_cast<std::size_t>(width) * (n + 1) + kBehindWindow;
        if (up.size() < size) {
            up.resize(size);
            down.resize(size);
            diagonal.resize(size);
            edge.resize(size);
        }
        if (bottom.size() < static_cast<std::size_t>(n) + 1) bottom.resize(n + 1);
    }

    // Column 0: every row is as far as its number.
    void begin(int m, int width) {
        for (int w = 0; w < width; ++w) {
            up[w] = ~Word{0};
            down[w] = 0;
            edge[w] = w * kRows;
        }
        bottom[0] = m;
    }

    // Columns p+1..n from column p of `from` (which may be this).
    void advance(const Vocabulary& words, const std::int32_t* hyp, int p, int n, int m,
                 const Forward& from) {
        const int width = words.width;
        const int last = m > 0 ? (m - 1) % kRows : 0;
        int value = from.bottom[p];
        if (width == 1) {
            Word u = from.up[p], d = from.down[p];
            int j = p;
            if (j == 0) {
                // As far as both texts are the same, each row is as far as it is from the diagonal.
                for (; j < n && j < m && hyp[j] == words.ref[j]; ++j) {
                    up[j + 1] = u = ~low_bits(j + 1);
                    down[j + 1] = d = low_bits(j + 1);
                    diagonal[j + 1] = *words.rows(hyp[j]);
                    bottom[j + 1] = value = m - j - 1;
                }
            }
            for (; j < n; ++j) {
                const Word equal = *words.rows(hyp[j]);
                const Word zero = (((equal & u) + u) ^ u) | equal | d;
                const Word h_up = d | ~(zero | u), h_down = zero & u;
                value += static_cast<int>((h_up >> last) & 1) - static_cast<int>((h_down >> last) & 1);
                const Word shifted = (h_up << 1) | 1;
                u = (h_down << 1) | ~(zero | shifted);
                d = shifted & zero;
                up[j + 1] = u;
                down[j + 1] = d;
                diagonal[j + 1] = equal | ~zero;
                bottom[j + 1] = value;
            }
            return;
        }
#ifdef __AVX2__
        advance_waves(words, hyp, p, n, m, from);
#else
        switch (width) {
            case 2: return advance_wide<2>(words, hyp, p, n, m, from);
            case 3: return advance_wide<3>(words, hyp, p, n, m, from);
            case 4: return advance_wide<4>(words, hyp, p, n, m, from);
            default: return advance_wide<0>(words, hyp, p, n, m, from);
        }
#endif
    }

    // Columns p+1..n become those of `other`.
    void take(const Forward& other, int p, int n, int width) {
        const std::size_t first = static_cast<std::size_t>(width) * (p + 1);
        const std::size_t count = static_cast<std::size_t>(width) * (n - p);
        std::copy_n(other.up.begin() + first, count, up.begin() + first);
        std::copy_n(other.down.begin() + first, count, down.begin() + first);
        std::copy_n(other.diagonal.begin() + first, count, diagonal.begin() + first);
        if (width > 1) std::copy_n(other.edge.begin() + first, count, edge.begin() + first);
        std::copy_n(other.bottom.begin() + p + 1, n - p, bottom.begin() + p + 1);
    }

    // Where columns have several words.
    ColumnView column(int j, int width) const {
        const std::size_t at = static_cast<std::size_t>(width) * j;
        return {up.data() + at, down.data() + at, edge.data() + at};
    }

    // F_j at row `row`.
    int at(int j, int row, int width) const {
        const int w = row / kRows;
        const std::size_t at = static_cast<std::size_t>(width) * j + w;
        const Word above = low_bits(row % kRows);
        if (!above) return w < width ? edge[at] : bottom[j];
        return edge[at] + std::popcount(up[at] & above) - std::popcount(down[at] & above);
    }

    std::vector<Word> up, down, diagonal;
    std::vector<std::int32_t> edge;    // F_j at row 64 w; only where a column has several words
    std::vector<std::int32_t> bottom;  // F_j at row m

   private:
#ifdef __AVX2__
    // Columns of several words, four at once. What one group passes down to the next is kept for each
    // column.
    void advance_waves(const Vocabulary& words, const std::int32_t* hyp, int p, int n, int m,
                       const Forward& from) {
        const int width = words.width;
        if (width > 4 && passed_.size() < static_cast<std::size_t>(n)) passed_.resize(n);
        each_group(width, [&](auto lanes, int w0) {
            if (w0 == 0)
                advance_group<lanes, true>(words, hyp, w0, p, n, m, from);
            else
                advance_group<lanes, false>(words, hyp, w0, p, n, m, from);
        });
    }

    // Words w0.. of the columns.
    template <int kLanes, bool kFirst>
    void advance_group(const Vocabulary& words, const std::int32_t* hyp, int w0, int p, int n, int m,
                       const Forward& from) {
        const int width = words.width, count = n - p;
        const std::size_t at = static_cast<std::size_t>(width) * p + w0;
        const bool last = w0 + kLanes == width;
        std::int64_t values[4] = {};
        for (int k = 0; k < kLanes; ++k)
            values[k] = last && k + 1 == kLanes ? from.bottom[p] : from.edge[at + k + 1];
        int before = static_cast<int>(values[kLanes - 1]), value = kFirst ? p : from.edge[at];
        const Wave<kLanes> wave(from.up.data() + at, from.down.data() + at, values,
                                last ? (m - 1) % kRows : kRows - 1);
        const Word* rows = words.rows(0) + w0;
        std::int32_t *passed = passed_.data() + p, *bottoms = bottom.data() + p + 1;
        Word *ups = up.data() + at, *downs = down.data() + at, *diagonals = diagonal.data() + at;
        std::int32_t* edges = edge.data() + at;
        wave.run(
            count, [=](int t) { return rows + static_cast<std::size_t>(width) * hyp[p + t]; },
            [=](int t) { return kFirst || t >= count ? 1 : passed[t]; },
            [&](int t, const auto& column) {
                ups += width;
                downs += width;
                diagonals += width;
                edges += width;
                wave.store(ups, column.up);
                wave.store(downs, column.down);
                wave.store(diagonals, column.diagonal);
                value += kFirst ? 1 : passed[t];
                const int end = wave.store_edges(edges, value, column.value);
                if (last) {
                    bottoms[t] = end;
                } else {
                    passed[t] = end - before;
                    before = end;
                }
            });
    }

    std::vector<std::int32_t> passed_;  // by the words above, for each column
#else
    // Columns of several words; the usual widths have loops of their own.
    template <int kWidth>
    void advance_wide(const Vocabulary& words, const std::int32_t* hyp, int p, int n, int m,
                      const Forward& from) {
        const int width = kWidth ? kWidth : words.width;
        const ColumnView before = from.column(p, width);
        const Word *u = before.up, *d = before.down;
        const std::int32_t* above = before.edge;
        const Word mask = low_bits(m - (width - 1) * kRows);
        for (int j = p; j < n; ++j) {
            const std::size_t at = static_cast<std::size_t>(width) * (j + 1);
            const Word* equal = words.rows(hyp[j]);
            Word rise = 1, fall = 0;
            for (int w = 0; w < width; ++w) {
                edge[at + w] = above[w] + static_cast<int>(rise) - static_cast<int>(fall);
                Word a = u[w], b = d[w];
                diagonal[at + w] = Cell::step(equal[w], a, b, rise, fall);
                up[at + w] = a;
                down[at + w] = b;
            }
            u = up.data() + at;
            d = down.data() + at;
            above = edge.data() + at;
            bottom[j + 1] = above[width - 1] + std::popcount(u[width - 1] & mask) -
                            std::popcount(d[width - 1] & mask);
        }
    }
#endif
};

// Columns n..0 of B, made one by one as far as they are needed. They come with their rows counted from
// the end of the reference, and are turned into the order of F's rows when somebody looks.
class Backward {
   public:
    void begin(const Vocabulary& words, int n, int m) {
        width_ = words.width;
        n_ = n;
        m_ = m;
        reached_ = n;
        const std::size_t size = static_cast<std::size_t>(width_) * (n + 1) + kBehindWindow;
        for (Columns* columns : {&made_, &turned_}) {
            if (columns->up.size() >= size) continue;
            columns->up.resize(size);
            columns->down.resize(size);
            columns->edge.resize(size);
        }
        if (is_turned_.size() < static_cast<std::size_t>(n) + 1) is_turned_.resize(n + 1);
        const std::size_t last = static_cast<std::size_t>(width_) * n;
        std::fill_n(made_.up.begin() + last, width_, ~Word{0});
        std::fill_n(made_.down.begin() + last, width_, 0);
        is_turned_[n] = false;
    }

    // The output has changed before word r: columns from r on stay.
    void change_before(int r) { reached_ = std::max(reached_, r); }

    // Make columns down to j.
    void reach(const Vocabulary& words, const std::int32_t* hyp, int j) {
        if (reached_ <= j) return;
#ifdef __AVX2__
        make_waves(words, hyp, j);
#else
        switch (width_) {
            case 2: return make<2>(words, hyp, j);
            case 3: return make<3>(words, hyp, j);
            case 4: return make<4>(words, hyp, j);
            default: return make<0>(words, hyp, j);
        }
#endif
    }

    // Columns first..last, which have been made, as they are now.
    void copy(int first, int last, Columns& to) const {
        for (int j = first; j <= last; ++j) column(j);
        const auto begin = static_cast<std::ptrdiff_t>(width_) * first;
        const auto end = static_cast<std::ptrdiff_t>(width_) * (last + 1);
        to.up.assign(turned_.up.begin() + begin, turned_.up.begin() + end);
        to.down.assign(turned_.down.begin() + begin, turned_.down.begin() + end);
        to.edge.assign(turned_.edge.begin() + begin, turned_.edge.begin() + end);
    }

    // A column that has been made.
    ColumnView column(int j) const {
        if (!is_turned_[j]) turn(j);
        return turned_.column(j, width_);
    }

    // B_j at row `row`, which is not below the reference's end.
    int at(int j, int row) const {
        const int w = row / kRows;
        if (w == width_) return n_ - j;
        const ColumnView here = column(j);
        const Word above = low_bits(row % kRows);
        return here.edge[w] + std::popcount(here.up[w] & above) - std::popcount(here.down[w] & above);
    }

   private:
#ifdef __AVX2__
    void make_waves(const Vocabulary& words, const std::int32_t* hyp, int j) {
        const int count = reached_ - j;
        if (width_ > 4 && passed_.size() < static_cast<std::size_t>(n_)) passed_.resize(n_);
        each_group(width_, [&](auto lanes, int w0) {
            if (w0 == 0)
                make_group<lanes, true>(words, hyp, w0, count);
            else
                make_group<lanes, false>(words, hyp, w0, count);
        });
        std::fill_n(is_turned_.begin() + j, count, false);
        reached_ = j;
    }

    // Words w0.. of the next columns.
    template <int kLanes, bool kFirst>
    void make_group(const Vocabulary& words, const std::int32_t* hyp, int w0, int count) {
        const int width = width_;
        const std::size_t at = static_cast<std::size_t>(width) * reached_ + w0;
        const bool last = w0 + kLanes == width;
        Word *ups = made_.up.data() + at, *downs = made_.down.data() + at;
        const std::int64_t values[4] = {};
        const Wave<kLanes> wave(ups, downs, values, kRows - 1);
        const Word* rows = words.turned_rows(0) + w0;
        const std::int32_t* word = hyp + reached_ - 1;
        std::int32_t* passed = passed_.data();
        int before = 0;
        wave.run(
            count, [=](int t) { return rows + static_cast<std::size_t>(width) * word[-t]; },
            [=](int t) { return kFirst || t >= count ? 1 : passed[t]; },
            [&](int t, const auto& column) {
                ups -= width;
                downs -= width;
                wave.store(ups, column.up);
                wave.store(downs, column.down);
                if (last) return;
                const int end = wave.last_value(column.value);
                passed[t] = end - before;
                before = end;
            });
    }

    std::vector<std::int32_t> passed_;
#else
    template <int kWidth>
    void make(const Vocabulary& words, const std::int32_t* hyp, int j) {
        const int width = kWidth ? kWidth : width_;
        while (reached_ > j) {
            --reached_;
            const Word* equal = words.turned_rows(hyp[reached_]);
            Word* up = made_.up.data() + static_cast<std::size_t>(width) * reached_;
            Word* down = made_.down.data() + static_cast<std::size_t>(width) * reached_;
            Word rise = 1, fall = 0;
            for (int w = 0; w < width; ++w) {
                Word a = up[width + w], b = down[width + w];
                Cell::step(equal[w], a, b, rise, fall);
                up[w] = a;
                down[w] = b;
            }
            is_turned_[reached_] = false;
        }
    }
#endif

    void turn(int j) const {
        const std::size_t at = static_cast<std::size_t>(width_) * j;
        const Word *up = made_.up.data() + at, *down = made_.down.data() + at;
        const int unused = width_ * kRows - m_;
        Word next_up = 0, next_down = 0;
        int value = n_ - j;
        for (int w = width_ - 1; w >= 0; --w) {
            const Word turned_up = reverse_bits(*up++), turned_down = reverse_bits(*down++);
            // A rise towards the end of the turned reference is a fall in its own order.
            const Word rises = turned_down >> unused | next_down;
            const Word falls = turned_up >> unused | next_up;
            value += std::popcount(falls) - std::popcount(rises);
            turned_.up[at + w] = rises;
            turned_.down[at + w] = falls;
            turned_.edge[at + w] = value;
            next_up = (turned_up << 1) << (kRows - 1 - unused);
            next_down = (turned_down << 1) << (kRows - 1 - unused);
        }
        is_turned_[j] = true;
    }

    int width_ = 1, n_ = 0, m_ = 0, reached_ = 0;
    Columns made_;
    mutable Columns turned_;
    mutable std::vector<char> is_turned_;
};

}  // namespace ter
