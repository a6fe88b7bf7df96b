// Minimum edits with an alignment. Where several cost the same, the path is the one that rapidfuzz
// takes (and so jiwer): equal ends are set aside, then from the end backwards a deletion comes
// before an insertion and that before a diagonal step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "columns.hpp"
#include "vocabulary.hpp"

namespace ter {

class MinimumEdits {
   public:
    // The path as in Result; ids lie in 0..n+m-1.
    const std::string& run(const std::int32_t* output, int n, const std::int32_t* reference, int m) {
        int head = 0, tail = 0;
        while (head < n && head < m && output[head] == reference[head]) ++head;
        while (tail < n - head && tail < m - head &&
               output[n - 1 - tail] == reference[m - 1 - tail])
            ++tail;
        path_.assign(static_cast<std::size_t>(tail), ' ');
        middle(output + head, n - head - tail, reference + head, m - head - tail,
               static_cast<std::size_t>(n) + m);
        path_.append(static_cast<std::size_t>(head), ' ');
        std::reverse(path_.begin(), path_.end());
        return path_;
    }

   private:
    void middle(const std::int32_t* output, int n, const std::int32_t* reference, int m,
                std::size_t most) {
        if (n > 0 && m > 0) {
            words_.read(output, n, reference, m, most);
            columns_.reserve(n, words_.width);
            columns_.begin(m, words_.width);
            columns_.advance(words_, words_.hyp.data(), 0, n, m, columns_);
        }
        const std::size_t width = static_cast<std::size_t>(words_.width);
        const auto bit = [&](const std::vector<Word>& rows, int j, int i) {
            return (rows[width * j + static_cast<std::size_t>(i - 1) / kRows] >> ((i - 1) % kRows)) & 1;
        };
        int i = m, j = n;
        while (i > 0 && j > 0) {
            if (bit(columns_.up, j, i)) {
                path_ += 'D';
                --i;
            } else if (--j > 0 && bit(columns_.down, j, i)) {
                path_ += 'I';
            } else {
                --i;
                path_ += words_.hyp[j] == words_.ref[i] ? ' ' : 'S';
            }
        }
        path_.append(static_cast<std::size_t>(i), 'D');
        path_.append(static_cast<std::size_t>(j), 'I');
    }

    Vocabulary words_;
    Forward columns_;
    std::string path_;
};

}  // namespace ter
