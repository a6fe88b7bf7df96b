// The rows that a path of a certain cost can pass through, column by column.
//
// The least path of the current output through row i of column j costs F_j[i] + B_j[i]. Paths only go
// on and down, so such rows of one column bound those of the columns before and after it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#ifdef __AVX2__
#include <immintrin.h>
#endif

#include "columns.hpp"
#include "lanes.hpp"

namespace ter {

// Rises and falls of 64 rows of two columns.
struct TwoColumns {
    Word up1, down1, up2, down2;

    int sum() const {
        return std::popcount(up1) - std::popcount(down1) + std::popcount(up2) - std::popcount(down2);
    }
};

#ifdef __AVX2__
// Where the running sum of 32 steps from 0 is `limit` or less, -64 <= limit < 127.
inline std::uint32_t falls_to(const TwoColumns& c, int limit) {
    const auto low = [](Word bits) { return static_cast<std::uint32_t>(bits); };
    __m256i sum = _mm256_sub_epi8(
        _mm256_sub_epi8(_mm256_add_epi8(spread(low(c.down1)), spread(low(c.down2))),
                        spread(low(c.up1))),
        spread(low(c.up2)));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 1));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 2));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 4));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 8));
    const __m256i before = _mm256_permute2x128_si256(sum, sum, 0x08);
    sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(before, _mm256_set1_epi8(15)));
    const __m256i above = _mm256_set1_epi8(static_cast<char>(limit + 1));
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpgt_epi8(above, sum)));
}
#endif

// The rows at which start + the running sum of both columns is `limit` or less.
inline Word rows_within(TwoColumns c, int start, int limit) {
    Word found = 0;
#ifdef __AVX2__
    for (int half = 0; half < 2; ++half) {
        const int wanted = std::min(limit - start, 64);
        if (wanted >= -64) found |= static_cast<Word>(falls_to(c, wanted)) << (32 * half);
        TwoColumns low = c;
        for (Word* bits : {&low.up1, &low.down1, &low.up2, &low.down2}) *bits &= low_bits(32);
        start += low.sum();
        for (Word* bits : {&c.up1, &c.down1, &c.up2, &c.down2}) *bits >>= 32;
    }
#else
    for (int bit = 0; bit < kRows; ++bit) {
        start += static_cast<int>((c.up1 >> bit) & 1) - static_cast<int>((c.down1 >> bit) & 1) +
                 static_cast<int>((c.up2 >> bit) & 1) - static_cast<int>((c.down2 >> bit) & 1);
        found |= static_cast<Word>(start <= limit) << bit;
    }
#endif
    return found;
}

// Whether start + the running sum of both columns is `limit` or less anywhere, also before the first.
inline bool any_within(const TwoColumns& c, int start, int limit) {
    if (start <= limit) return true;
    const int end = start + c.sum();
    if (end <= limit) return true;
    if (start - std::popcount(c.down1) - std::popcount(c.down2) > limit) return false;
    if (end - std::popcount(c.up1) - std::popcount(c.up2) > limit) return false;
    return rows_within(c, start, limit) != 0;
}

class Corridor {
   public:
    // Of other columns than before.
    void begin(int n) {
        n_ = n;
        seen_.assign(static_cast<std::size_t>(n) / kSample + 2, Seen{});
    }

    // The column that is looked at for what column p has no rows above.
    static int before(int p) { return p / kSample * kSample; }

    // The first row through which a path of cost `most` can pass in column p, and all behind it.
    // Columns of `backward` from before(p) on must be there.
    int first(int p, int most, const Forward& forward, const Backward& backward, int width, int m) {
        return look(p / kSample, most, forward, backward, width, m).first;
    }

    // The last such row of column r, and all before it.
    int last(int r, int most, const Forward& forward, const Backward& backward, int width, int m) {
        return look((r + kSample - 1) / kSample, most, forward, backward, width, m).last;
    }

   private:
    static constexpr int kSample = 8;

    struct Seen {
        int most = -1, first = 0, last = 0;
    };

    const Seen& look(int sample, int most, const Forward& forward, const Backward& backward,
                     int width, int m) {
        Seen& seen = seen_[sample];
        if (seen.most == most) return seen;
        const int j = std::min(sample * kSample, n_);
        seen = {most, m + 1, -1};
        const std::size_t at = static_cast<std::size_t>(width) * j;
        const ColumnView rest = backward.column(j);
        for (int w = 0; w < width; ++w) {
            const Word mask = low_bits(m - w * kRows);
            const TwoColumns both{forward.up[at + w] & mask, forward.down[at + w] & mask,
                                  rest.up[w] & mask, rest.down[w] & mask};
            const int start = forward.edge[at + w] + rest.edge[w];
            if (!any_within(both, start, most)) continue;
            if (start <= most) {
                seen.first = std::min(seen.first, w * kRows);
                seen.last = w * kRows;
            }
            const Word rows = rows_within(both, start, most) & mask;
            if (!rows) continue;
            seen.first = std::min(seen.first, w * kRows + 1 + std::countr_zero(rows));
            seen.last = w * kRows + kRows - std::countl_zero(rows);
        }
        return seen;
    }

    int n_ = 0;
    std::vector<Seen> seen_;
};

}  // namespace ter
