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
    // Number the words. All ids are less than `most`. A word that only the output has becomes one
    // whose rows are empty.
    void read(const std::int32_t* output, int n, const std::int32_t* reference, int m,
              std::size_t most) {
        n_ = n;
        m_ = m;
        width = std::max(1, words_for(m));
        hyp.resize(n);
        ref.resize(m);
        if (std::max(highest(output, n), highest(reference, m)) > m) {
            number(output, reference, most);
        } else {
            std::copy_n(output, n, hyp.begin());
            std::copy_n(reference, m, ref.begin());
        }
        rows_.resize(static_cast<std::size_t>(width) * (m + 1) + kBehindWindow);
        left_.resize(static_cast<std::size_t>(m) + 1);
        std::fill_n(rows_.begin(), static_cast<std::size_t>(width) * (m + 1), 0);
        std::fill_n(left_.begin(), m + 1, 0);
        if (width == 1)
            find_rows<true>();
        else
            find_rows<false>();
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
        turned_.assign(static_cast<std::size_t>(width) * (m_ + 1) + kBehindWindow, 0);
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
    static std::int32_t highest(const std::int32_t* ids, int count) {
        std::int32_t found = 0;
        for (int k = 0; k < count; ++k) found = std::max(found, ids[k]);
        return found;
    }

    // Ids of 0..m that tell the same words apart: the reference's in order of appearance.
    void number(const std::int32_t* output, const std::int32_t* reference, std::size_t most) {
        if (slots_.size() < most) {
            slots_.assign(most, Slot{0, 0});
            generation_ = 0;
        }
        if (++generation_ == 0) {
            std::fill(slots_.begin(), slots_.end(), Slot{0, 0});
            generation_ = 1;
        }
        std::int32_t known = 0;
        for (int i = 0; i < m_; ++i) {
            Slot& slot = slots_[reference[i]];
            if (slot.generation != generation_) slot = {generation_, known++};
            ref[i] = slot.word;
        }
        for (int j = 0; j < n_; ++j) {
            const Slot& slot = slots_[output[j]];
            hyp[j] = slot.generation == generation_ ? slot.word : known;
        }
    }

    // One word a column is the usual case, and worth a loop of its own.
    template <bool kOne>
    void find_rows() {
        const std::size_t wide = kOne ? 1 : static_cast<std::size_t>(width);
        Word* rows = rows_.data();
        int* left = left_.data();
        for (int i = 0; i < m_; ++i) {
            const std::int32_t word = ref[i];
            ++left[word];
            rows[wide * word + (kOne ? 0 : i / kRows)] |= Word{1} << (i % kRows);
        }
        int both = 0;
        for (int j = 0; j < n_; ++j) {
            const std::int32_t word = hyp[j];
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

    int n_ = 0, m_ = 0;
    std::uint32_t generation_ = 0;
    std::vector<Slot> slots_;
    std::vector<Word> rows_, turned_;
    std::vector<int> left_;
};

}  // namespace ter
