// The search of sacrebleu's TER (2.0 to 2.6), for its own numbers: tercom's idea with other limits.
//
// What differs from tercom: the edit distance looks at a band along the diagonal of both lengths
// instead of a beam; a block goes before a place, not behind it; among shifts that mend equally the
// longest wins, then the first; and the search gives up, without the shift at hand, once it has
// looked at 1,000 of them. Costs are 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "columns.hpp"
#include "path.hpp"
#include "result.hpp"
#include "threshold.hpp"
#include "vocabulary.hpp"

namespace ter {

// The edit distance within a band of rows around a diagonal that goes from corner to corner.
class BandSearch {
   public:
    static constexpr int kWidth = 25;

    void begin(int n, int m) {
        n_ = n;
        m_ = m;
        ratio_ = static_cast<double>(m) / n;
        width_ = kWidth < ratio_ / 2 ? static_cast<int>(std::ceil(ratio_ / 2 + kWidth)) : kWidth;
        // A path of this cost or less stays within the band: at row o below the main diagonal it
        // has cost |o|, and |m - n - o| is still to come.
        sure = 2 * kWidth - 4 - std::abs(m - n);
    }

    // The cost, and with `backwards` the steps, last one first; ties: diagonal, then I, then D.
    int run(const std::int32_t* hyp, const std::int32_t* ref, std::vector<char>* backwards) {
        const std::size_t rows = static_cast<std::size_t>(m_) + 1;
        before_.resize(rows);
        for (int j = 0; j <= m_; ++j) before_[j] = j;
        if (backwards) steps_.assign(rows * (n_ + 1), 'D');
        for (int i = 1; i <= n_; ++i) {
            here_.assign(rows, kFar);
            const int middle = static_cast<int>(std::floor(i * ratio_));
            const int first = std::max(0, middle - width_);
            const int end = i == n_ ? m_ + 1 : std::min(m_ + 1, middle + width_);
            char* steps = backwards ? steps_.data() + rows * i : nullptr;
            for (int j = first; j < end; ++j) {
                if (j == 0) {
                    here_[0] = before_[0] + 1;
                    if (steps) steps[0] = 'I';
                    continue;
                }
                const bool same = hyp[i - 1] == ref[j - 1];
                char step = same ? ' ' : 'S';
                int cost = before_[j - 1] + !same;
                if (before_[j] + 1 < cost) cost = before_[j] + 1, step = 'I';
                if (here_[j - 1] + 1 < cost) cost = here_[j - 1] + 1, step = 'D';
                here_[j] = std::min(cost, kFar);
                if (steps) steps[j] = step;
            }
            std::swap(before_, here_);
        }
        if (backwards) {
            backwards->clear();
            for (int i = n_, j = m_; i > 0 || j > 0;) {
                const char step = steps_[rows * i + j];
                backwards->push_back(step);
                i -= step != 'D';
                j -= step != 'I';
            }
        }
        return before_[m_];
    }

    int sure = 0;

   private:
    static constexpr int kFar = 1 << 29;

    int n_ = 0, m_ = 0, width_ = kWidth;
    double ratio_ = 1;
    std::vector<int> before_, here_;
    std::vector<char> steps_;
};

class LikeSacrebleu {
   public:
    // The edits between an output and a reference, shifts included.
    int run(const std::int32_t* output, int n, const std::int32_t* reference, int m, Poll* poll) {
        if (n == 0 || m == 0) return n + m;
        words_.read(output, n, reference, m, static_cast<std::size_t>(n) + m);
        if (words_.width > 1) words_.turn();
        n_ = n;
        m_ = m;
        hyp_ = words_.hyp;
        looked_at_ = 0;
        poll_ = poll;
        band_.begin(n, m);
        columns_.reserve(n, words_.width);
        columns_.begin(m, words_.width);
        int shifts = 0, changed = 0;
        for (;; ++shifts) {
            work(static_cast<std::size_t>(n) * words_.width * 4);
            columns_.advance(words_, hyp_.data(), changed, n, m, columns_);
            const int cost = align();
            Exchange best{0, 0, 0};
            if (!choose(cost, best)) return shifts + cost;
            std::rotate(hyp_.begin() + best.p, hyp_.begin() + best.q, hyp_.begin() + best.r);
            changed = best.p;
        }
    }

   private:
    static constexpr int kMostLookedAt = 1000, kMostAway = 50;

    void work(std::size_t steps) {
        if (poll_) poll_->work(steps);
    }

    // The cost of the output as it stands; what its path says of each word.
    int align() {
        int cost = columns_.bottom[n_];
        if (cost <= band_.sure)
            trace({columns_, columns_, n_}, words_, hyp_.data(), n_, m_, nullptr, steps_);
        else
            cost = band_.run(hyp_.data(), words_.ref.data(), &steps_);
        wrong_before_.assign(static_cast<std::size_t>(n_) + 1, 0);
        missed_before_.assign(static_cast<std::size_t>(m_) + 1, 0);
        place_.resize(m_);
        int i = 0, j = 0;
        for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
            const bool wrong = *step != ' ';
            if (*step != 'D') wrong_before_[i + 1] = wrong_before_[i] + wrong, ++i;
            if (*step != 'I') {
                missed_before_[j + 1] = missed_before_[j] + wrong;
                place_[j++] = i - 1;
            }
        }
        return cost;
    }

    // The best shift that lowers the cost; false if there is none, or if the search gives up.
    bool choose(int cost, Exchange& best) {
        threshold_.begin(words_, hyp_.data(), n_, m_, columns_);
        int left = cost, best_length = INT_MAX;  // what the best shift leaves
        for (int start = 0; start < n_; ++start) {
            const Word* rows = words_.rows(hyp_[start]);
            const int first = std::max(0, start - kMostAway);
            const int end = std::min(m_, start + kMostAway + 1);
            for (int at = first; at < end; ++at) {
                if (!((rows[at / kRows] >> (at % kRows)) & 1)) continue;
                const int most = std::min({kLongestShift, n_ - start, m_ - at});
                for (int length = 1; length <= most; ++length) {
                    if (hyp_[start + length - 1] != words_.ref[at + length - 1]) break;
                    if (wrong_before_[start + length] == wrong_before_[start] ||
                        missed_before_[at + length] == missed_before_[at] ||
                        (start <= place_[at] && place_[at] < start + length))
                        continue;
                    look_at(start, at, length, left, best_length, best);
                    if (looked_at_ >= kMostLookedAt) return false;
                }
            }
        }
        return left < cost;
    }

    // The places where a block can go so that it meets its own words in the reference.
    void look_at(int start, int at, int length, int& left, int& best_length, Exchange& best) {
        int before = -1;
        for (int offset = -1; offset < length; ++offset) {
            const int row = at + offset;
            if (row >= m_) break;
            const int target = row < 0 ? 0 : place_[row] + 1;
            if (target == before) continue;
            before = target;
            ++looked_at_;
            const int limit = left - (length <= best_length);
            const Exchange x = exchange(start, length, target);
            if (x.q >= x.r || x.p >= x.q) continue;  // nothing moves, and nothing is mended
            const int after = cost_after(x, limit);
            if (after > limit) continue;
            left = after;
            best_length = length;
            best = x;
        }
    }

    Exchange exchange(int start, int length, int target) const {
        if (target < start) return {target, start, start + length};
        if (target > start + length) return {start, start + length, target};
        // Within the block: as many words to the right as the target lies from the front.
        return {start, start + length, std::min(n_, length + target)};
    }

    // The cost after an exchange if it is `limit` or less, and more than the limit otherwise.
    int cost_after(const Exchange& x, int limit) {
        work(static_cast<std::size_t>(x.r - x.p) * words_.width + 50);
        int distance;
        if (threshold_.is_short()) {
            distance = threshold_.distances(x, x).first;
            if (distance > limit) return distance;
        } else {
            if (!threshold_.within(x, limit)) return limit + 1;
            distance = limit;
            while (distance > 0 && threshold_.within(x, distance - 1)) --distance;
        }
        if (distance <= band_.sure) return distance;
        work(static_cast<std::size_t>(n_) * 50);
        trial_ = hyp_;
        std::rotate(trial_.begin() + x.p, trial_.begin() + x.q, trial_.begin() + x.r);
        return band_.run(trial_.data(), words_.ref.data(), nullptr);
    }

    Vocabulary words_;
    Poll* poll_ = nullptr;
    int n_ = 0, m_ = 0, looked_at_ = 0;
    std::vector<std::int32_t> hyp_, trial_;
    Forward columns_;
    Threshold threshold_;
    BandSearch band_;
    std::vector<char> steps_;
    std::vector<int> wrong_before_, missed_before_;  // errors among the words before each
    std::vector<int> place_;  // for each reference word, the last output word not behind it
};

}  // namespace ter
