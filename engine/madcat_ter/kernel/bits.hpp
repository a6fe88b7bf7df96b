// Words of 64 rows, and the columns of an edit-distance matrix kept in them.
//
// Bit b of word w stands for row 64 w + b + 1 of the matrix, that is for position 64 w + b of the
// reference. A column is two such bit vectors: where its value rises by 1 from the row above, and
// where it falls by 1 (Myers, "A fast bit-vector algorithm for approximate string matching", 1999;
// Hyyro, "A bit-vector algorithm for computing Levenshtein and Damerau edit distances", 2003).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace ter {

using Word = std::uint64_t;
inline constexpr int kRows = 64;  // rows in a word

inline int words_for(int rows) { return (rows + kRows - 1) / kRows; }

// The lowest `count` bits, 0 <= count <= 64.
constexpr Word low_bits(int count) { return count >= kRows ? ~Word{0} : (Word{1} << count) - 1; }

// The bits first..last-1, all of 0..64; none if first >= last.
inline Word bit_range(int first, int last) {
    return first >= last ? 0 : low_bits(last) & ~low_bits(first);
}

inline Word reverse_bits(Word x) {
    x = ((x >> 1) & 0x5555555555555555) | ((x & 0x5555555555555555) << 1);
    x = ((x >> 2) & 0x3333333333333333) | ((x & 0x3333333333333333) << 2);
    x = ((x >> 4) & 0x0f0f0f0f0f0f0f0f) | ((x & 0x0f0f0f0f0f0f0f0f) << 4);
    return __builtin_bswap64(x);
}

// One word of a column on its way from one column to the next. `rise` and `fall` hold what the word
// above passes down: whether the row above rose or fell by 1 between the two columns.
struct Cell {
    // Rows whose value comes from the diagonal, by a match or by a substitution that no other
    // step beats.
    static Word step(Word equal, Word& up, Word& down, Word& rise, Word& fall) {
        const Word x = equal | fall;
        const Word zero = (((x & up) + up) ^ up) | x | down;
        Word h_up = down | ~(zero | up);
        Word h_down = zero & up;
        const Word rise_out = h_up >> 63, fall_out = h_down >> 63;
        h_up = (h_up << 1) | rise;
        h_down = (h_down << 1) | fall;
        up = h_down | ~(zero | h_up);
        down = h_up & zero;
        rise = rise_out;
        fall = fall_out;
        return equal | ~zero;
    }
};

// Sum and lowest prefix sum of four rows, by the nibbles of rises (high) and falls (low).
struct Nibble {
    std::int8_t sum, lowest;
};

inline constexpr std::array<Nibble, 256> kNibbles = [] {
    std::array<Nibble, 256> table{};
    for (int both = 0; both < 256; ++both) {
        int sum = 0, lowest = 0;
        for (int row = 0; row < 4; ++row) {
            sum += ((both >> (4 + row)) & 1) - ((both >> row) & 1);
            lowest = sum < lowest ? sum : lowest;
        }
        table[both] = {static_cast<std::int8_t>(sum), static_cast<std::int8_t>(lowest)};
    }
    return table;
}();

// The least value of a column of `rows` rows whose row 0 has the value `top`.
inline int column_minimum(const Word* up, const Word* down, int rows, int top) {
    int value = top, least = top;
    for (int w = 0; w * kRows < rows; ++w) {
        const Word mask = low_bits(rows - w * kRows);
        Word u = up[w] & mask, d = down[w] & mask;
        if (value - std::popcount(d) >= least) {
            value += std::popcount(u) - std::popcount(d);
            continue;
        }
        for (int part = 0; part < kRows / 4; ++part, u >>= 4, d >>= 4) {
            const Nibble both = kNibbles[((u & 15) << 4) | (d & 15)];
            least = value + both.lowest < least ? value + both.lowest : least;
            value += both.sum;
        }
    }
    return least;
}

}  // namespace ter
