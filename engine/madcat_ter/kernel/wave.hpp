// Columns of several words, four words at once.
//
// A word of a column needs the word above it and the word of the column before. So the second word of
// one column, the first of the next, and so on, can be had together: lane w is w columns behind lane 0.
#pragma once

#ifdef __AVX2__

#include <immintrin.h>

#include <cstdint>
#include <utility>

#include "bits.hpp"

namespace ter {

// Up to four words of some columns: the state, on its way from column to column.
template <int kLanes>
class Wave {
   public:
    static_assert(kLanes >= 1 && kLanes <= 4);

    // `values` are those at the last row of each lane; `last` is the place of the last lane's.
    Wave(const Word* up, const Word* down, const std::int64_t* values, int last)
        : up_(load(up)), down_(load(down)), value_(load(values)),
          last_rows_(_mm256_set_epi64x(kLanes == 4 ? last : 63, kLanes == 3 ? last : 63,
                                       kLanes == 2 ? last : 63, kLanes == 1 ? last : 63)) {}

    // `count` columns. rows(t) points to the rows of word t in the lanes' words; above(t) is whether
    // the row above all lanes rises (1) or falls (-1) with it; take(t, column) gets what comes out.
    template <typename Rows, typename Above, typename Take>
    void run(int count, const Rows& rows, const Above& above, const Take& take) const {
        const __m256i none = _mm256_setzero_si256(), one = _mm256_set1_epi64x(1);
        __m256i up = up_, down = down_, value = value_;
        __m256i equal[4] = {none, none, none, none};  // the newest first
        Column made[4] = {};
        __m256i rise = none, fall = none;
        for (int t = 0; t < count + kLanes - 1; ++t) {
            const int here = above(t);
            equal[3] = equal[2];
            equal[2] = equal[1];
            equal[1] = equal[0];
            equal[0] = t < count ? load(rows(t)) : none;
            const __m256i same = spread_out(equal[0], equal[1], equal[2], equal[3]);
            rise = passed_down(rise, here > 0);
            fall = passed_down(fall, here < 0);
            const __m256i x = _mm256_or_si256(same, fall);
            const __m256i sum = _mm256_add_epi64(_mm256_and_si256(x, up), up);
            const __m256i zero = _mm256_or_si256(_mm256_xor_si256(sum, up), _mm256_or_si256(x, down));
            const __m256i h_up = _mm256_or_si256(down, inverse(_mm256_or_si256(zero, up)));
            const __m256i h_down = _mm256_and_si256(zero, up);
            const __m256i shifted_up = _mm256_or_si256(_mm256_slli_epi64(h_up, 1), rise);
            const __m256i shifted_down = _mm256_or_si256(_mm256_slli_epi64(h_down, 1), fall);
            rise = _mm256_and_si256(_mm256_srlv_epi64(h_up, last_rows_), one);
            fall = _mm256_and_si256(_mm256_srlv_epi64(h_down, last_rows_), one);
            up = _mm256_or_si256(shifted_down, inverse(_mm256_or_si256(zero, shifted_up)));
            down = _mm256_and_si256(shifted_up, zero);
            value = _mm256_add_epi64(value, _mm256_sub_epi64(rise, fall));
            if (t < kLanes - 1) {
                // Lanes whose first column has not come yet.
                const __m256i lane = _mm256_set_epi64x(3, 2, 1, 0);
                const __m256i waits = _mm256_cmpgt_epi64(lane, _mm256_set1_epi64x(t));
                up = _mm256_blendv_epi8(up, up_, waits);
                down = _mm256_blendv_epi8(down, down_, waits);
                value = _mm256_blendv_epi8(value, value_, waits);
            }
            made[3] = made[2];
            made[2] = made[1];
            made[1] = made[0];
            made[0] = {up, down, _mm256_or_si256(same, inverse(zero)), value};
            if (t < kLanes - 1) continue;
            take(t - (kLanes - 1),
                 Column{gathered(made, &Column::up), gathered(made, &Column::down),
                        gathered(made, &Column::diagonal), gathered(made, &Column::value)});
        }
    }

    // The lanes' words of one column, and the value at each one's last row.
    struct Column {
        __m256i up, down, diagonal, value;
    };

    // The first kLanes words.
    static void store(Word* to, __m256i words) {
        if constexpr (kLanes == 4) {
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), words);
            return;
        }
        const __m128i low = _mm256_castsi256_si128(words);
        if constexpr (kLanes == 1)
            _mm_storeu_si64(to, low);
        else
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), low);
        if constexpr (kLanes == 3) _mm_storeu_si64(to + 2, _mm256_extracti128_si256(words, 1));
    }

    // The values, and `above` before the first of them, as what `edge` keeps; the last one is given.
    static std::int32_t store_edges(std::int32_t* to, int above, __m256i values) {
        const __m128i low = _mm256_castsi256_si128(
            _mm256_permutevar8x32_epi32(values, _mm256_set_epi32(0, 0, 0, 0, 6, 4, 2, 0)));
        const __m128i edges = _mm_insert_epi32(_mm_slli_si128(low, 4), above, 0);
        if constexpr (kLanes == 4) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to), edges);
        } else {
            to[0] = above;
            if constexpr (kLanes > 1) to[1] = _mm_extract_epi32(edges, 1);
            if constexpr (kLanes > 2) to[2] = _mm_extract_epi32(edges, 2);
        }
        return _mm_extract_epi32(low, kLanes - 1);
    }

    // The last lane's.
    static std::int32_t last_value(__m256i values) {
        return static_cast<std::int32_t>(_mm256_extract_epi64(values, kLanes - 1));
    }

   private:
    template <typename T>
    static __m256i load(const T* words) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
    }

    static __m256i inverse(__m256i words) {
        return _mm256_xor_si256(words, _mm256_set1_epi64x(-1));
    }

    // Lane w from the w-th newest.
    static __m256i spread_out(__m256i a, __m256i b, __m256i c, __m256i d) {
        if constexpr (kLanes > 1) a = _mm256_blend_epi32(a, b, 0x0c);
        if constexpr (kLanes > 2) a = _mm256_blend_epi32(a, c, 0x30);
        if constexpr (kLanes > 3) a = _mm256_blend_epi32(a, d, 0xc0);
        return a;
    }

    // The other way round: the last lane from the newest.
    static __m256i gathered(const Column* made, __m256i Column::*part) {
        __m256i found = made[kLanes - 1].*part;
        if constexpr (kLanes > 1) found = _mm256_blend_epi32(found, made[kLanes - 2].*part, 0x0c);
        if constexpr (kLanes > 2) found = _mm256_blend_epi32(found, made[kLanes - 3].*part, 0x30);
        if constexpr (kLanes > 3) found = _mm256_blend_epi32(found, made[kLanes - 4].*part, 0xc0);
        return found;
    }

    // To each lane what the one above has.
    static __m256i passed_down(__m256i bits, bool first) {
        const __m256i in = _mm256_castsi128_si256(_mm_cvtsi32_si128(first));
        if constexpr (kLanes == 1) return in;
        return _mm256_blend_epi32(_mm256_permute4x64_epi64(bits, 0x90), in, 0x03);
    }

    const __m256i up_, down_, value_, last_rows_;
};

// Call `group(lanes, w)` for all words w of a column, up to four at a time; `lanes` is a constant.
template <typename Group>
void each_group(int width, const Group& group) {
    int w = 0;
    for (; w + 4 <= width; w += 4) group(std::integral_constant<int, 4>{}, w);
    switch (width - w) {
        case 1: return group(std::integral_constant<int, 1>{}, w);
        case 2: return group(std::integral_constant<int, 2>{}, w);
        case 3: return group(std::integral_constant<int, 3>{}, w);
    }
}

}  // namespace ter

#endif
