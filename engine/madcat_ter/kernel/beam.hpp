// The edit distance with tercom's beam, for unit costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "result.hpp"

namespace ter {

class BeamSearch {
   public:
    static constexpr int kTooFar = 1 << 29;

    // The cost, at most `limit`, and its steps, last one first; kTooFar if it is higher.
    int run(const std::int32_t* hyp, int n, const std::int32_t* ref, int m, int beam, int limit,
            std::vector<char>& backwards, Poll* poll) {
        const std::size_t rows = static_cast<std::size_t>(m) + 2;
        if (cost_.size() < rows) {
            cost_.resize(rows, kTooFar);
            next_cost_.resize(rows, kTooFar);
            step_.resize(rows);
            next_step_.resize(rows);
        }
        bands_.clear();
        arena_.clear();
        cost_[0] = 0;
        int best = kTooFar;
        int first = 0, last = 0;
        int total = kTooFar;
        for (int j = 0; j <= n; ++j) {
            const bool on = j < n;
            const int reached = best >= kTooFar ? kTooFar : best + beam;
            best = kTooFar;
            int first_next = -1, last_next = -1;
            int nearest = kTooFar;
            const int lowest = first;
            for (int i = first; i <= m && i <= last; ++i) {
                const int cost = cost_[i];
                if (cost >= kTooFar || (on && cost > reached)) continue;
                if (first_next < 0) first_next = i;
                nearest = std::min(nearest, cost + std::abs((m - i) - (n - j)));
                if (on) {
                    if (i < m) {
                        const bool same = ref[i] == hyp[j];
                        const int diagonal = cost + !same;
                        if (diagonal < next_cost_[i + 1]) {
                            next_cost_[i + 1] = diagonal;
                            next_step_[i + 1] = same ? ' ' : 'S';
                        }
                        best = std::min(best, diagonal);
                    }
                    if (cost + 1 < next_cost_[i]) {
                        next_cost_[i] = cost + 1;
                        next_step_[i] = 'I';
                    }
                }
                last_next = i + 1;
                if (i < m && cost + 1 < cost_[i + 1]) {
                    cost_[i + 1] = cost + 1;
                    step_[i + 1] = 'D';
                    last = std::max(last, i + 1);
                }
            }
            const int highest = std::min(last, m);
            if (poll) poll->work(static_cast<std::size_t>(highest - lowest + 1) * 4);
            bands_.push_back({arena_.size(), lowest});
            arena_.insert(arena_.end(), step_.begin() + lowest, step_.begin() + highest + 1);
            if (!on) total = cost_[m];
            std::fill(cost_.begin() + lowest, cost_.begin() + highest + 1, kTooFar);
            if (nearest > limit) {
                // Nothing that is left can come in under the limit.
                if (on && first_next >= 0)
                    std::fill(next_cost_.begin() + first_next,
                              next_cost_.begin() + std::min(last_next, m) + 1, kTooFar);
                return kTooFar;
            }
            std::swap(cost_, next_cost_);
            std::swap(step_, next_step_);
            first = first_next;
            last = last_next;
        }
        // An even number of swaps or not, both arrays are clear again.
        if (total > limit) return kTooFar;
        backwards.clear();
        for (int i = m, j = n; i > 0 || j > 0;) {
            const char step = arena_[bands_[j].offset + (i - bands_[j].row)];
            backwards.push_back(step);
            i -= step != 'I';
            j -= step != 'D';
        }
        return total;
    }

   private:
    struct Band {
        std::size_t offset;
        int row;
    };

    std::vector<int> cost_, next_cost_;
    std::vector<char> step_, next_step_, arena_;
    std::vector<Band> bands_;
};

}  // namespace ter
