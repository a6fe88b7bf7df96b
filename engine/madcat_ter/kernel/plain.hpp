// The search with any costs and with spans: tercom's steps one by one, in doubles, as it takes them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "result.hpp"

namespace ter {

using Span = std::pair<std::int32_t, std::int32_t>;

// Where in the source each word comes from; words can only meet where these overlap.
struct Spans {
    const Span* output = nullptr;  // both null: no spans
    const Span* reference = nullptr;
    // Whether they go along with the words for good. tercom moves them for the shift that it tries,
    // and puts them back for the next one, whichever words stand there by then.
    bool move = false;
};

class PlainSearch {
   public:
    void run(const std::int32_t* output, int n, const std::int32_t* reference, int m, Costs costs,
             Limits limits, Spans spans, Result& result, Poll* poll) {
        costs_ = costs;
        beam_ = limits.beam < 0 ? kUnset : limits.beam;
        n_ = n;
        m_ = m;
        ref_ = reference;
        hyp_.assign(output, output + n);
        spans_ = spans;
        order_.resize(n);
        for (int j = 0; j < n; ++j) order_[j] = j;
        result.clear();

        poll_ = poll;
        double cost = search(hyp_, order_, result.path);
        // A shift that costs nothing may gain nothing, and then tercom can go round for ever: what
        // comes again comes again and again (Brent's way of noticing it).
        std::tuple seen{cost, result.path, hyp_, order_};
        std::size_t since = 0, until = 1;
        while (limits.max_distance > 0) {
            collect(result.path, limits.max_distance);
            Shift chosen;
            if (!choose(cost, result.path, chosen)) break;
            result.shifts.push_back(chosen);
            move(hyp_, chosen);
            if (spans_.move) move(order_, chosen);
            if (seen == std::tie(cost, result.path, hyp_, order_))
                throw std::invalid_argument("the shifts cost too little and would never end");
            if (++since == until) {
                seen = std::tie(cost, result.path, hyp_, order_);
                since = 0;
                until *= 2;
            }
        }
        double spent = 0;
        for (std::size_t s = 0; s < result.shifts.size(); ++s) spent += costs.shift;
        result.cost = cost + spent;
    }

   private:
    static constexpr double kUnset = std::numeric_limits<double>::infinity();
    // tercom's cost of a column that no diagonal step has reached.
    static constexpr double kFar = 999999;

    static void move(std::vector<std::int32_t>& words, const Shift& s) {
        auto at = words.begin();
        if (s.newloc < s.start) {
            std::rotate(at + s.newloc + 1, at + s.start, at + s.end + 1);
            return;
        }
        int passed = s.newloc > s.end ? s.newloc - s.end : s.newloc - s.start;
        int until = std::min<int>(s.end + 1 + passed, static_cast<int>(words.size()));
        std::rotate(at + s.start, at + s.end + 1, at + until);
    }

    bool may_meet(int word, int i) const {
        if (!spans_.output) return true;
        const Span &one = spans_.output[word], &other = spans_.reference[i];
        return one.first <= other.second && other.first <= one.second;
    }

    // The edit distance with the beam; ties are resolved diagonal, then I, then D.
    double search(const std::vector<std::int32_t>& hyp, const std::vector<std::int32_t>& order,
                  std::string& path) {
        const std::size_t rows = static_cast<std::size_t>(m_) + 1;
        column_.assign(rows, kUnset);
        next_.assign(rows, kUnset);
        steps_.assign(rows * (static_cast<std::size_t>(n_) + 1), 0);
        column_[0] = 0;
        double best = kFar;
        int first_next = 0, last_next = 0;
        for (int j = 0; j <= n_; ++j) {
            const double reached = best + beam_;
            best = kFar;
            int first = std::max(first_next, 0), last = last_next;
            first_next = last_next = -1;
            char* here = steps_.data() + rows * j;
            char* there = here + rows;
            const bool on = j < n_;
            work(rows * 4);
            for (int i = first; i <= m_ && i <= last; ++i) {
                const double cost = column_[i];
                if (cost == kUnset || (on && cost > reached)) continue;
                if (first_next < 0) first_next = i;
                if (i < m_ && on && may_meet(order[j], i)) {
                    const bool same = ref_[i] == hyp[j];
                    const double diagonal = cost + (same ? costs_.match : costs_.substitution);
                    if (diagonal < next_[i + 1]) {
                        next_[i + 1] = diagonal;
                        there[i + 1] = same ? ' ' : 'S';
                    }
                    best = std::min(best, diagonal);
                }
                last_next = i + 1;
                if (on && cost + costs_.insertion < next_[i]) {
                    next_[i] = cost + costs_.insertion;
                    there[i] = 'I';
                }
                if (i < m_ && cost + costs_.deletion < column_[i + 1]) {
                    column_[i + 1] = cost + costs_.deletion;
                    here[i + 1] = 'D';
                    last = std::max(last, i + 1);
                }
            }
            if (on) {
                std::swap(column_, next_);
                std::fill(next_.begin(), next_.end(), kUnset);
            }
        }
        path.clear();
        for (int i = m_, j = n_; i > 0 || j > 0;) {
            const char step = steps_[rows * j + i];
            path.push_back(step);
            i -= step != 'I';
            j -= step != 'D';
        }
        std::reverse(path.begin(), path.end());
        return column_[m_];
    }

    void work(std::size_t steps) {
        if (poll_) poll_->work(steps);
    }

    // Where the block C[start..end] occurs in the reference, in rising order.
    void find(int start, int end, std::vector<int>& found) const {
        found.clear();
        const int length = end - start + 1;
        for (int a = 0; a + length <= m_; ++a)
            if (std::equal(ref_ + a, ref_ + a + length, hyp_.begin() + start)) found.push_back(a);
    }

    void collect(const std::string& path, int far) {
        std::vector<char> hyp_wrong, ref_wrong;
        place_.clear();
        for (char step : path) {
            if (step != 'D') hyp_wrong.push_back(step != ' ');
            if (step != 'I') {
                ref_wrong.push_back(step != ' ');
                place_.push_back(static_cast<int>(hyp_wrong.size()) - 1);
            }
        }
        for (auto& list : candidates_) list.clear();
        std::vector<int> starts;
        for (int start = 0; start < n_; ++start) {
            work(static_cast<std::size_t>(m_) * 4);
            find(start, start, starts);
            if (std::none_of(starts.begin(), starts.end(), [&](int a) {
                    return start != place_[a] && place_[a] - start <= far &&
                           start - place_[a] - 1 <= far;
                }))
                continue;
            bool any_wrong = false;
            for (int end = start; end < std::min(start + kLongestShift, n_); ++end) {
                const int length = end - start;
                find(start, end, starts);
                if (starts.empty()) break;
                any_wrong = any_wrong || hyp_wrong[end];
                if (!any_wrong) continue;
                bool longer = false;
                for (int a : starts) {
                    const int at = place_[a];
                    if ((start <= at && at <= end) || at - start > far || start - at > far)
                        continue;
                    longer = true;
                    auto wrong = ref_wrong.begin() + a;
                    if (std::find(wrong, wrong + length + 1, 1) == wrong + length + 1) continue;
                    for (int off = -1; off <= length; ++off) {
                        if (a + off < 0) {
                            candidates_[length].push_back({start, end, -1, -1});
                            continue;
                        }
                        const int target = place_[a + off];
                        if (target != start && (off == 0 || target != at))
                            candidates_[length].push_back({start, end, a + off, target});
                    }
                }
                if (!longer) break;
            }
        }
    }

    // The shift that tercom takes next; `cost` and `path` become those after it.
    bool choose(double& cost, std::string& path, Shift& chosen) {
        bool found = false;
        double best = cost, spent = 0;
        std::string trial, best_path;
        std::vector<std::int32_t> shifted, order;
        for (int length = kLongestShift - 1; length >= 0; --length) {
            const double most = 2.0 * (length + 1);
            for (const Shift& shift : candidates_[length]) {
                const double mended = cost - (spent + best);
                if (mended > most || (spent != 0 && mended == most)) break;
                shifted = hyp_;
                order = order_;
                move(shifted, shift);
                move(order, shift);
                const double after = search(shifted, order, trial);
                const double gain = (best + spent) - (after + costs_.shift);
                if (gain > 0 || (spent == 0 && gain == 0)) {
                    found = true;
                    chosen = shift;
                    spent = costs_.shift;
                    best = after;
                    best_path.swap(trial);
                }
            }
        }
        if (found) {
            cost = best;
            path.swap(best_path);
        }
        return found;
    }

    Poll* poll_ = nullptr;
    Costs costs_;
    double beam_ = 20;
    int n_ = 0, m_ = 0;
    const std::int32_t* ref_ = nullptr;
    Spans spans_;
    std::vector<std::int32_t> hyp_;
    std::vector<std::int32_t> order_;  // whose span stands where
    std::vector<double> column_, next_;
    std::vector<char> steps_;
    std::vector<int> place_;
    std::array<std::vector<Shift>, kLongestShift> candidates_;
};

}  // namespace ter
