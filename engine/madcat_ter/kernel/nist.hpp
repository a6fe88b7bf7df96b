// sclite's alignment: least 4 x substitutions + 3 x insertions + 3 x deletions; read from the end,
// a diagonal step comes before an insertion and that before a deletion.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "result.hpp"

namespace ter {

inline std::string nist_path(const std::int32_t* output, int n, const std::int32_t* reference,
                             int m, Poll* poll = nullptr) {
    constexpr std::int32_t kSubstitution = 4, kGap = 3;
    const std::size_t width = static_cast<std::size_t>(m) + 1;
    std::vector<std::int32_t> above(width), row(width);
    std::vector<char> steps(width * (static_cast<std::size_t>(n) + 1), 'D');
    for (int i = 0; i <= m; ++i) above[i] = kGap * i;
    for (int j = 1; j <= n; ++j) {
        if (poll) poll->work(width * 2);
        char* here = steps.data() + width * j;
        row[0] = kGap * j;
        here[0] = 'I';
        const std::int32_t word = output[j - 1];
        for (int i = 1; i <= m; ++i) {
            const bool same = reference[i - 1] == word;
            const std::int32_t diagonal = above[i - 1] + (same ? 0 : kSubstitution);
            const std::int32_t insertion = above[i] + kGap, deletion = row[i - 1] + kGap;
            const std::int32_t least = std::min(diagonal, std::min(insertion, deletion));
            row[i] = least;
            here[i] = diagonal == least ? (same ? ' ' : 'S') : insertion == least ? 'I' : 'D';
        }
        std::swap(above, row);
    }
    std::string path;
    for (int i = m, j = n; i > 0 || j > 0;) {
        const char step = steps[width * j + i];
        path.push_back(step);
        i -= step != 'I';
        j -= step != 'D';
    }
    std::reverse(path.begin(), path.end());
    return path;
}

}  // namespace ter
