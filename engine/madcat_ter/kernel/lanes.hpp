// Rows as bytes, 32 at a time: how near each is, 0 being far away (beam_columns.hpp says of what).
// Written twice, for the newer instructions and without; both do the same.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#ifdef __AVX2__
#include <immintrin.h>
#endif

namespace ter {

inline constexpr int kLanes = 32;

inline int lanes_for(int rows) { return (rows + kLanes - 1) / kLanes; }

#ifdef __AVX2__

// 32 bytes: -1 where the bit is set.
inline __m256i spread(std::uint32_t bits) {
    const __m256i pick = _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202,
                                           0x0101010101010101, 0x0000000000000000);
    const __m256i mask = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
    const __m256i byte = _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(bits)), pick);
    return _mm256_cmpeq_epi8(_mm256_and_si256(byte, mask), mask);
}

inline __m256i all_lanes(int value) { return _mm256_set1_epi8(static_cast<char>(value)); }

inline __m256i load_lanes(const std::uint8_t* rows) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(rows));
}

inline void store_lanes(std::uint8_t* rows, __m256i lanes) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(rows), lanes);
}

// -1 where a lane is `least` or more.
inline __m256i counting(__m256i lanes, __m256i least) {
    return _mm256_cmpeq_epi8(_mm256_max_epu8(lanes, least), lanes);
}

// Every lane one place up; the last lane of `before` comes in.
inline __m256i pushed(__m256i before, __m256i lanes) {
    return _mm256_alignr_epi8(lanes, _mm256_permute2x128_si256(before, lanes, 0x21), 15);
}

// The last lane everywhere.
inline __m256i last_lane(__m256i lanes) {
    return _mm256_shuffle_epi8(_mm256_permute2x128_si256(lanes, lanes, 0x11), all_lanes(15));
}

inline bool any_counts(const std::uint8_t* rows, int least) {
    return _mm256_movemask_epi8(counting(load_lanes(rows), all_lanes(least))) != 0;
}

// One column to the next, from the first lanes to the last.
class LaneStep {
   public:
    explicit LaneStep(int m) : m_(m) {}

    // The rows v * kLanes.. of the next column from those of this one.
    void go(const std::uint8_t* rows, int least, int v, std::uint32_t equal, std::uint8_t* out) {
        const __m256i one = all_lanes(1);
        __m256i lanes = load_lanes(rows);
        lanes = _mm256_and_si256(lanes, counting(lanes, all_lanes(least)));
        __m256i offer = _mm256_subs_epu8(lanes, _mm256_andnot_si256(spread(equal), one));
        if (v == m_ / kLanes) offer = _mm256_and_si256(offer, spread((1U << (m_ % kLanes)) - 1));
        best_ = _mm256_max_epu8(best_, offer);
        const __m256i arrived =
            _mm256_max_epu8(pushed(offer_, offer), _mm256_subs_epu8(lanes, one));
        store_lanes(out, with_deletions(arrived, v));
        offer_ = offer;
    }

    // Lanes that only the last diagonal step and deletions reach; false if no row of them counts.
    bool go_on(int v, int least, std::uint8_t* out) {
        const __m256i nothing = _mm256_setzero_si256();
        const __m256i lanes = with_deletions(pushed(offer_, nothing), v);
        offer_ = nothing;
        if (_mm256_movemask_epi8(counting(lanes, all_lanes(least))) == 0) return false;
        store_lanes(out, lanes);
        return true;
    }

    // The nearest row that a diagonal step has offered.
    int best_offer() const {
        __m128i half = _mm_max_epu8(_mm256_castsi256_si128(best_), _mm256_extracti128_si256(best_, 1));
        half = _mm_max_epu8(half, _mm_srli_si128(half, 8));
        half = _mm_max_epu8(half, _mm_srli_si128(half, 4));
        half = _mm_max_epu8(half, _mm_srli_si128(half, 2));
        half = _mm_max_epu8(half, _mm_srli_si128(half, 1));
        return _mm_cvtsi128_si32(half) & 255;
    }

   private:
    __m256i with_deletions(__m256i lanes, int v) {
        const __m256i ramp = _mm256_setr_epi8(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 1,
                                              2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
        const __m256i long_ramp = _mm256_add_epi8(
            ramp, _mm256_setr_epi64x(0, 0, 0x1010101010101010, 0x1010101010101010));
        lanes = nearest(lanes, _mm256_slli_si256(lanes, 1), all_lanes(1));
        lanes = nearest(lanes, _mm256_slli_si256(lanes, 2), all_lanes(2));
        lanes = nearest(lanes, _mm256_slli_si256(lanes, 4), all_lanes(4));
        lanes = nearest(lanes, _mm256_slli_si256(lanes, 8), all_lanes(8));
        const __m256i low = _mm256_permute2x128_si256(lanes, lanes, 0x08);
        lanes = nearest(lanes, _mm256_shuffle_epi8(low, all_lanes(15)), ramp);
        lanes = nearest(lanes, carry_, long_ramp);
        carry_ = last_lane(lanes);
        if (v == m_ / kLanes)
            lanes = _mm256_and_si256(lanes, spread(~std::uint32_t{0} >> (kLanes - 1 - m_ % kLanes)));
        return lanes;
    }

    static __m256i nearest(__m256i lanes, __m256i others, __m256i away) {
        return _mm256_max_epu8(lanes, _mm256_subs_epu8(others, away));
    }

    int m_;
    __m256i best_ = _mm256_setzero_si256(), offer_ = _mm256_setzero_si256(),
            carry_ = _mm256_setzero_si256();
};

// Let the rows that count be nearer by `more`, and forget the others.
inline void raise(std::uint8_t* rows, int count, int least, int more) {
    for (int k = 0; k < count; k += kLanes) {
        const __m256i lanes = load_lanes(rows + k);
        store_lanes(rows + k, _mm256_and_si256(_mm256_adds_epu8(lanes, all_lanes(more)),
                                               counting(lanes, all_lanes(least))));
    }
}

// Whether a row that counts, less the sum of the steps up to it, is `wanted` or more.
inline bool any_reaches(const std::uint8_t* rows, int least, std::uint32_t up, std::uint32_t down,
                        int wanted) {
    if (wanted > 255) return false;
    const __m256i zero = _mm256_setzero_si256();
    const __m256i lanes = load_lanes(rows);
    const __m256i count = counting(lanes, all_lanes(least));
    __m256i sum = _mm256_sub_epi8(spread(down), spread(up));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 1));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 2));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 4));
    sum = _mm256_add_epi8(sum, _mm256_slli_si256(sum, 8));
    const __m256i low = _mm256_permute2x128_si256(sum, sum, 0x08);
    sum = _mm256_add_epi8(sum, _mm256_shuffle_epi8(low, all_lanes(15)));
    sum = pushed(zero, sum);
    const __m256i nearer = _mm256_max_epi8(_mm256_sub_epi8(zero, sum), zero);
    __m256i found = _mm256_adds_epu8(lanes, nearer);
    found = _mm256_subs_epu8(found, _mm256_max_epi8(sum, zero));
    found = _mm256_and_si256(counting(found, all_lanes(std::max(wanted, 0))), count);
    return _mm256_movemask_epi8(found) != 0;
}

// What the rows of `one` that count are nearer by, if they are those of `other` but for one number.
inline std::optional<int> same_but_for_one_number(const std::uint8_t* one, int one_least,
                                                  const std::uint8_t* other, int other_least,
                                                  int count) {
    std::optional<int> number;
    for (int k = 0; k < count; k += kLanes) {
        const __m256i a = load_lanes(one + k), b = load_lanes(other + k);
        const __m256i counts = counting(a, all_lanes(one_least));
        const auto mask = static_cast<std::uint32_t>(_mm256_movemask_epi8(counts));
        if (mask != static_cast<std::uint32_t>(
                        _mm256_movemask_epi8(counting(b, all_lanes(other_least)))))
            return std::nullopt;
        if (!mask) continue;
        if (!number) {
            const int at = k + std::countr_zero(mask);
            number = one[at] - other[at];
        }
        const __m256i differs = _mm256_andnot_si256(
            _mm256_cmpeq_epi8(_mm256_sub_epi8(a, b), all_lanes(*number)), counts);
        if (_mm256_movemask_epi8(differs)) return std::nullopt;
    }
    return number;
}

#else

inline bool any_counts(const std::uint8_t* rows, int least) {
    return std::any_of(rows, rows + kLanes, [=](std::uint8_t row) { return row >= least; });
}

// One column to the next, from the first lanes to the last.
class LaneStep {
   public:
    explicit LaneStep(int m) : m_(m) {}

    // The rows v * kLanes.. of the next column from those of this one.
    void go(const std::uint8_t* rows, int least, int v, std::uint32_t equal, std::uint8_t* out) {
        for (int k = 0; k < kLanes; ++k) {
            const int row = v * kLanes + k;
            const int near = rows[k] >= least ? rows[k] : 0;
            const bool differs = !((equal >> k) & 1);
            const int offer = row < m_ ? std::max(near - differs, 0) : 0;
            best_ = std::max(best_, offer);
            arrive(row, std::max({offer_, near - 1, 0}), out[k]);
            offer_ = offer;
        }
    }

    // Lanes that only the last diagonal step and deletions reach; false if no row of them counts.
    bool go_on(int v, int least, std::uint8_t* out) {
        for (int k = 0; k < kLanes; ++k) {
            arrive(v * kLanes + k, offer_, out[k]);
            offer_ = 0;
        }
        return any_counts(out, least);
    }

    // The nearest row that a diagonal step has offered.
    int best_offer() const { return best_; }

   private:
    void arrive(int row, int near, std::uint8_t& out) {
        carry_ = row <= m_ ? std::max({near, carry_ - 1, 0}) : 0;
        out = static_cast<std::uint8_t>(carry_);
    }

    int m_;
    int best_ = 0, offer_ = 0, carry_ = 0;
};

// Let the rows that count be nearer by `more`, and forget the others.
inline void raise(std::uint8_t* rows, int count, int least, int more) {
    for (int k = 0; k < count; ++k)
        rows[k] = static_cast<std::uint8_t>(rows[k] >= least ? std::min(rows[k] + more, 255) : 0);
}

// Whether a row that counts, less the sum of the steps up to it, is `wanted` or more.
inline bool any_reaches(const std::uint8_t* rows, int least, std::uint32_t up, std::uint32_t down,
                        int wanted) {
    for (int k = 0, sum = 0; k < kLanes; ++k) {
        if (rows[k] >= least && rows[k] - sum >= wanted) return true;
        sum += static_cast<int>((up >> k) & 1) - static_cast<int>((down >> k) & 1);
    }
    return false;
}

// What the rows of `one` that count are nearer by, if they are those of `other` but for one number.
inline std::optional<int> same_but_for_one_number(const std::uint8_t* one, int one_least,
                                                  const std::uint8_t* other, int other_least,
                                                  int count) {
    std::optional<int> number;
    for (int k = 0; k < count; ++k) {
        const bool counts = one[k] >= one_least;
        if (counts != (other[k] >= other_least)) return std::nullopt;
        if (!counts) continue;
        if (!number) number = one[k] - other[k];
        if (one[k] - other[k] != *number) return std::nullopt;
    }
    return number;
}

#endif

}  // namespace ter
