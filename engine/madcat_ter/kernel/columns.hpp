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
#include "window.hpp"

namespace ter {

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
            for (int j = p; j < n; ++j) {
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
        const Word* u = from.up.data() + static_cast<std::size_t>(width) * p;
        const Word* d = from.down.data() + static_cast<std::size_t>(width) * p;
        const Word mask = low_bits(m - (width - 1) * kRows);
        for (int j = p; j < n; ++j) {
            const std::size_t at = static_cast<std::size_t>(width) * (j + 1);
            const Word* equal = words.rows(hyp[j]);
            Word rise = 1, fall = 0;
            value = j + 1;
            for (int w = 0; w < width; ++w) {
                Word a = u[w], b = d[w];
                diagonal[at + w] = Cell::step(equal[w], a, b, rise, fall);
                up[at + w] = a;
                down[at + w] = b;
                edge[at + w] = value;
                if (w + 1 < width) value += std::popcount(a) - std::popcount(b);
            }
            u = up.data() + at;
            d = down.data() + at;
            bottom[j + 1] = value + std::popcount(u[width - 1] & mask) -
                            std::popcount(d[width - 1] & mask);
        }
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
};

// Columns n..0 of B in the order of F's rows, made one by one as far as they are needed.
class Backward {
   public:
    void begin(const Vocabulary& words, int n, int m) {
        width_ = words.width;
        n_ = n;
        m_ = m;
        reached_ = n;
        const std::size_t size = static_cast<std::size_t>(width_) * (n + 1) + kBehindWindow;
        if (up_.size() < size) {
            up_.resize(size);
            down_.resize(size);
            edge_.resize(size);
        }
        state_up_.assign(width_, ~Word{0});
        state_down_.assign(width_, 0);
        store(n, m);
    }

    // The output has changed before word r: columns from r on stay.
    void change_before(int r) {
        if (reached_ >= r) return;
        reached_ = r;
        const int unused = width_ * kRows - m_;
        for (int w = 0; w < width_; ++w) {
            state_up_[w] = turned(down(r), w, unused);
            state_down_[w] = turned(up(r), w, unused);
        }
    }

    // Make columns down to j.
    void reach(const Vocabulary& words, const std::int32_t* hyp, int j) {
        const Word mask = low_bits(m_ - (width_ - 1) * kRows);
        while (reached_ > j) {
            --reached_;
            const Word* equal = words.turned_rows(hyp[reached_]);
            Word rise = 1, fall = 0;
            int value = n_ - reached_;
            for (int w = 0; w < width_; ++w) {
                Cell::step(equal[w], state_up_[w], state_down_[w], rise, fall);
                const Word rows = w + 1 < width_ ? ~Word{0} : mask;
                value += std::popcount(state_up_[w] & rows) - std::popcount(state_down_[w] & rows);
            }
            store(reached_, value);
        }
    }

    const Word* up(int j) const { return up_.data() + static_cast<std::size_t>(width_) * j; }
    const Word* down(int j) const { return down_.data() + static_cast<std::size_t>(width_) * j; }
    // B_j at row 64 w.
    int edge(int j, int w) const { return edge_[static_cast<std::size_t>(width_) * j + w]; }

    // B_j at row `row`, which is not below the reference's end.
    int at(int j, int row) const {
        const int w = row / kRows;
        if (w == width_) return n_ - j;
        const Word above = low_bits(row % kRows);
        return edge(j, w) + std::popcount(up(j)[w] & above) - std::popcount(down(j)[w] & above);
    }

   private:
    // Turn the state, which counts rows from the end of the reference, into column j.
    void store(int j, int top) {
        const std::size_t at = static_cast<std::size_t>(width_) * j;
        const int unused = width_ * kRows - m_;
        for (int w = 0; w < width_; ++w) {
            // A rise towards the end of the turned reference is a fall in its own order.
            up_[at + w] = turned(state_down_.data(), w, unused);
            down_[at + w] = turned(state_up_.data(), w, unused);
            edge_[at + w] = top;
            top += std::popcount(up_[at + w]) - std::popcount(down_[at + w]);
        }
    }

    // Word w of the other order of rows; it is its own inverse.
    Word turned(const Word* rows, int w, int unused) const {
        const int from = width_ - 1 - w;
        const Word low = reverse_bits(rows[from]);
        if (unused == 0) return low;
        const Word high = from > 0 ? reverse_bits(rows[from - 1]) : 0;
        return (low >> unused) | (high << (kRows - unused));
    }

    int width_ = 1, n_ = 0, m_ = 0, reached_ = 0;
    std::vector<Word> up_, down_, state_up_, state_down_;
    std::vector<std::int32_t> edge_;
};

}  // namespace ter
