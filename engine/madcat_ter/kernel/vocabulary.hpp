// The words of one pair: numbers of their own, and the rows of the reference where each occurs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "bits.hpp"
#include "window.hpp"

namespace ter {

class Vocabulary {
   public:
    // Number the words. All ids are less than `most`. A word that only the output has becomes
    // word 0, whose row is empty.
    void read(const std::int32_t* output, int n, const std::int32_t* reference, int m,
              std::size_t most) {
        n_ = n;
        m_ = m;
        width = std::max(1, words_for(m));
        if (slots_.size() < most) {
            slots_.assign(most, Slot{0, 0});
            generation_ = 0;
        }
        if (++generation_ == 0) {
            std::fill(slots_.begin(), slots_.end(), Slot{0, 0});
            generation_ = 1;
        }
        hyp.resize(n);
        ref.resize(m);
        rows_.resize(static_cast<std::size_t>(width) * (m + 1) + kBehindWindow);
        left_.resize(static_cast<std::size_t>(m) + 1);
        std::fill_n(rows_.begin(), width, 0);
        if (width == 1)
            number<true>(output, n, reference, m);
        else
            number<false>(output, n, reference, m);
    }

    // The rows where a word of the output occurs, `width` words.
    const Word* rows(std::int32_t word) const {
        return rows_.data() + static_cast<std::size_t>(width) * word;
    }

    // The same, counted from the end of the reference; after turn().
    const Word* turned_rows(std::int32_t word) const {
        return turned_.data() + static_cast<std::size_t>(width) * word;
    }

    void turn() {
        turned_.assign(static_cast<std::size_t>(width) * (known_ + 1), 0);
        for (int i = 0; i < m_; ++i) {
            const int t = m_ - 1 - i;
            turned_[static_cast<std::size_t>(width) * ref[i] + t / kRows] |= Word{1} << (t % kRows);
        }
    }

    // No order of the output's words can be nearer to the reference than this.
    int least_distance() const { return std::max(n_, m_) - common; }

    std::vector<std::int32_t> hyp, ref;
    int width = 1;   // words in a column
    int common = 0;  // size of the intersection of both bags of words

   private:
    // One word a column is the usual case, and worth a loop of its own.
    template <bool kOne>
    void number(const std::int32_t* output, int n, const std::int32_t* reference, int m) {
        const std::size_t wide = kOne ? 1 : static_cast<std::size_t>(width);
        Slot* slots = slots_.data();
        Word* rows = rows_.data();
        int* left = left_.data();
        const std::uint32_t generation = generation_;
        std::int32_t known = 0;
        for (int i = 0; i < m; ++i) {
            Slot& slot = slots[reference[i]];
            if (slot.generation != generation) {
                slot = {generation, ++known};
                for (std::size_t w = 0; w < wide; ++w) rows[wide * known + w] = 0;
                left[known] = 0;
            }
            const std::int32_t word = slot.word;
            ref[i] = word;
            ++left[word];
            rows[wide * word + (kOne ? 0 : i / kRows)] |= Word{1} << (i % kRows);
        }
        known_ = known;
        left[0] = 0;
        int both = 0;
        for (int j = 0; j < n; ++j) {
            const Slot& slot = slots[output[j]];
            const std::int32_t word = slot.generation == generation ? slot.word : 0;
            hyp[j] = word;
            const int one = left[word] > 0;
            left[word] -= one;
            both += one;
        }
        common = both;
    }

    struct Slot {
        std::uint32_t generation;
        std::int32_t word;
    };

    int n_ = 0, m_ = 0, known_ = 0;
    std::uint32_t generation_ = 0;
    std::vector<Slot> slots_;
    std::vector<Word> rows_, turned_;
    std::vector<int> left_;
};

}  // namespace ter
