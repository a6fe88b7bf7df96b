// Whether a shifted output comes near enough to the reference to be worth a closer look.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "columns.hpp"
#include "exchange.hpp"
#include "lanes.hpp"

namespace ter {

#ifdef __AVX2__
// Whether the running sum of 32 steps from 0 ever is `limit` or less, -128 <= limit < 127.
inline bool falls_to(std::uint32_t up1, std::uint32_t down1, std::uint32_t up2, std::uint32_t down2,
                     int limit) {
    __m256i sum = _mm256_sub_epi8(
        _mm256_sub_epi8(_mm256_add_epi8(spread(down1), spread(down2)), spread(up1)), spread(up2));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 1));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 2));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 4));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 8));
    const __m256i low = _mm256_permute2x128_si256(sum, sum, 0x08);
    sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(low, _mm256_set1_epi8(15)));
    const __m256i above = _mm256_set1_epi8(static_cast<char>(limit + 1));
    return _mm256_movemask_epi8(_mm256_cmpgt_epi8(above, sum)) != 0;
}
#endif

// Whether start + the running sum of 64 rows of both columns ever is `limit` or less.
inline bool block_reaches(Word up1, Word down1, Word up2, Word down2, int start, int limit) {
#ifdef __AVX2__
    for (int half = 0; half < 2; ++half) {
        const auto a = static_cast<std::uint32_t>(up1), b = static_cast<std::uint32_t>(down1);
        const auto c = static_cast<std::uint32_t>(up2), d = static_cast<std::uint32_t>(down2);
        const int wanted = limit - start;
        if (wanted >= 0) return true;
        if (wanted >= -64 && falls_to(a, b, c, d, wanted)) return true;
        start += std::popcount(a) - std::popcount(b) + std::popcount(c) - std::popcount(d);
        up1 >>= 32;
        down1 >>= 32;
        up2 >>= 32;
        down2 >>= 32;
    }
    return start <= limit;
#else
    // Only where a column falls can the sum come down.
    Word steps = up1 | down1 | up2 | down2;
    for (; steps; steps &= steps - 1) {
        if (start <= limit) return true;
        const int bit = std::countr_zero(steps);
        start += static_cast<int>((up1 >> bit) & 1) - static_cast<int>((down1 >> bit) & 1) +
                 static_cast<int>((up2 >> bit) & 1) - static_cast<int>((down2 >> bit) & 1);
    }
    return start <= limit;
#endif
}

class Threshold {
   public:
    // Of the current output; `columns` are its own.
    void begin(const Vocabulary& words, const std::int32_t* hyp, int n, int m,
               const Forward& columns) {
        words_ = &words;
        hyp_ = hyp;
        n_ = n;
        m_ = m;
        columns_ = &columns;
        if (is_short())
            for (int j = 0; j < n; ++j) equal_[j] = *words.rows(hyp[j]);
        if (words.width == 1) return;
        backward_.begin(words, n, m);
        const std::size_t width = words.width;
        least_.resize(n / kSample + 1);
        for (int s = 0; s * kSample <= n; ++s) {
            const std::size_t at = width * s * kSample;
            least_[s] = column_minimum(columns.up.data() + at, columns.down.data() + at, m,
                                       s * kSample);
        }
        if (up_.size() < width) {
            up_.resize(width);
            down_.resize(width);
        }
    }

    // Whether within() or distances() answers.
    bool is_short() const { return words_->width == 1 && n_ <= kRows; }

    // The columns from the end; after within(x) those from x.r on. Null where there are none.
    const Backward* backward() const { return words_->width > 1 ? &backward_ : nullptr; }

    // Whether the distance after the exchange is `limit` or less. Exact either way.
    bool within(const Exchange& x, int limit) {
        if (words_->width > 1) return long_within(x, limit);
        // Few rows and many columns.
        Column column{columns_->up[x.p], columns_->down[x.p]};
        const auto run = [&](int first, int end) {
            for (int j = first; j < end; ++j) column.step(*words_->rows(hyp_[j]));
        };
        run(x.q, x.r);
        run(x.p, x.q);
        run(x.r, n_);
        return distance(column) <= limit;
    }

    // The distances after each of two exchanges. A column waits for the one before it, so that two
    // walks side by side take hardly longer than one; and both go over the same columns, for what
    // the processor cannot foretell costs more than a few columns.
    std::pair<int, int> distances(const Exchange& x, const Exchange& y) const {
        const int first = std::min(x.p, y.p);
        Column one{columns_->up[first], columns_->down[first]}, two = one;
        for (int j = first; j < n_; ++j) {
            one.step(equal_[source(x, j)]);
            two.step(equal_[source(y, j)]);
        }
        return {distance(one), distance(two)};
    }

   private:
    static constexpr int kSample = 32;

    // A column of one word.
    struct Column {
        Word up, down;

        void step(Word equal) {
            const Word zero = (((equal & up) + up) ^ up) | equal | down;
            const Word h_up = ((down | ~(zero | up)) << 1) | 1, h_down = (zero & up) << 1;
            up = h_down | ~(zero | h_up);
            down = h_up & zero;
        }
    };

    int distance(const Column& last) const {
        const Word rows = low_bits(m_);
        return n_ + std::popcount(last.up & rows) - std::popcount(last.down & rows);
    }

    bool long_within(const Exchange& x, int limit) {
        backward_.reach(*words_, hyp_, x.r);
        // A path of cost `limit` or less that touches diagonal o of column p costs at least
        // F_p[o] + B_r[o + r - p], for each step aside costs 1. That leaves an interval of
        // diagonals, o = p + d.
        const int before = least_[x.p / kSample], after = backward_.least(x.r);
        const int slant = m_ - n_;
        if (before + after > limit) return false;
        const int low = std::max({-(limit - after), slant - (limit - before), half_up(slant - limit)});
        const int high = std::min({limit - after, slant + (limit - before), half_down(slant + limit)});
        const int top = std::max(0, x.p + low), bottom = std::min(m_, x.r + high);
        if (low > high || top > bottom) return false;
        const int w0 = std::min(top / kRows, words_->width - 1);
        const int w1 = std::max(w0 + 1, words_for(bottom));
        switch (w1 - w0) {
            case 1: return band<1>(x, w0, w1, limit);
            case 2: return band<2>(x, w0, w1, limit);
            case 3: return band<3>(x, w0, w1, limit);
            case 4: return band<4>(x, w0, w1, limit);
            default: return band<0>(x, w0, w1, limit);
        }
    }

    static int half_up(int x) { return (x + (x > 0)) / 2; }
    static int half_down(int x) { return (x - (x < 0)) / 2; }

    // The columns p..r of words w0..w1-1 only, entered from above at a cost of 1 a column: values
    // that can be had, and the right ones wherever a path within the limit goes.
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
        const auto run = [&](int first, int end) {
            for (int j = first; j < end; ++j) {
                const Word* equal = words_->rows(hyp_[j]) + w0;
                Word rise = 1, fall = 0;
                for (int w = 0; w < count; ++w) Cell::step(equal[w], up[w], down[w], rise, fall);
            }
        };
        run(x.q, x.r);
        run(x.p, x.q);
        // min over the rows of both columns' sum
        const Word* other_up = backward_.up(x.r);
        const Word* other_down = backward_.down(x.r);
        int value = columns_->edge[at + w0] + (x.r - x.p);
        for (int w = 0; w < count; ++w) {
            const Word mask = low_bits(m_ - (w0 + w) * kRows);
            const Word u = up[w] & mask, d = down[w] & mask;
            const Word v = other_up[w0 + w], e = other_down[w0 + w];
            const int start = value + backward_.edge(x.r, w0 + w);
            if (start <= limit) return true;
            const int rises = std::popcount(u), falls = std::popcount(d);
            const int other_rises = std::popcount(v & mask), other_falls = std::popcount(e & mask);
            const int end = start + rises - falls + other_rises - other_falls;
            if (end <= limit) return true;
            if (start - falls - other_falls <= limit && end - rises - other_rises <= limit &&
                block_reaches(u, d, v & mask, e & mask, start, limit))
                return true;
            value += rises - falls;
        }
        return false;
    }

    const Vocabulary* words_ = nullptr;
    const std::int32_t* hyp_ = nullptr;
    const Forward* columns_ = nullptr;
    int n_ = 0, m_ = 0;
    Backward backward_;
    std::array<Word, kRows> equal_{};  // where each word of a short output occurs
    std::vector<int> least_;
    std::vector<Word> up_, down_;
};

}  // namespace ter
