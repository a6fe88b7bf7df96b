// The search with all costs 1: the same shifts and the same path as PlainSearch, found faster.
//
// A shift is accepted if and only if the cost after it is lower than the best cost so far, for it
// costs 1 itself. So a candidate is a test against a threshold, and as the beam never lowers a cost,
// the true distance can reject. Only what passes is searched in full.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "beam.hpp"
#include "beam_columns.hpp"
#include "candidates.hpp"
#include "columns.hpp"
#include "path.hpp"
#include "result.hpp"
#include "threshold.hpp"
#include "verdicts.hpp"
#include "vocabulary.hpp"

namespace ter {

class UnitSearch {
   public:
    void run(const std::int32_t* output, int n, const std::int32_t* reference, int m, Limits limits,
             Result& result, Poll* poll) {
        result.clear();
        if (n == 0 || m == 0) {
            result.path.assign(static_cast<std::size_t>(n) + m, n ? 'I' : 'D');
            result.cost = n + m;
            return;
        }
        words_.read(output, n, reference, m, static_cast<std::size_t>(n) + m);
        n_ = n;
        m_ = m;
        limits_ = limits;
        hyp_ = words_.hyp;
        columns_.reserve(n, words_.width);
        columns_.begin(m, words_.width);
        columns_.advance(words_, hyp_.data(), 0, n, m, columns_);
        poll_ = poll;
        work(static_cast<std::size_t>(n) * words_.width * kColumnWork + n + m);

        beam_columns_.begin(words_, n, m, limits.beam);
        int cost = columns_.bottom[n];
        joint_ = {};
        trace_whole(nullptr, n);
        is_canonical_ = is_certain({columns_, columns_, n}, cost, steps_, {});
        if (!is_canonical_) {
            cost = beam_.run(hyp_.data(), n, words_.ref.data(), m, limits.beam,
                             BeamSearch::kTooFar, steps_, poll);
            marked_ = false;
        }

        const int least = words_.least_distance();
        if (limits.max_distance > 0 && cost - 1 >= least) {
            if (words_.width > 1) words_.turn();
            threshold_.begin(words_, hyp_.data(), n, m, columns_);
            verdicts_.begin(n);
        }
        while (limits.max_distance > 0 && cost - 1 >= least) {
            Shift chosen;
            if (!choose(cost, least, chosen)) break;
            result.shifts.push_back(chosen);
        }
        result.path.assign(steps_.rbegin(), steps_.rend());
        result.cost = cost + static_cast<double>(result.shifts.size());
    }

   private:
    // The canonical path of the output as it stands. Up to column `split` it may be `former`.
    void trace_whole(const Former* former, int split) {
        marked_ = n_ <= kRows && m_ <= kRows;
        if (marked_ && columns_.bottom[n_] * kAgreeing <= n_)
            marks_.trace_runs(columns_, words_, hyp_.data(), n_, m_, steps_);
        else if (marked_)
            marks_.trace_short(columns_, words_, hyp_.data(), n_, m_, steps_);
        else
            joint_ = trace({columns_, columns_, split}, words_, hyp_.data(), n_, m_, former,
                           trial_steps_);
        if (!marked_) std::swap(steps_, trial_steps_);
    }

    // Whether what the marks say can be carried over.
    bool goes_on() const { return is_canonical_ && (n_ > kRows || m_ > kRows); }

    // Whether the beam leaves this path of the unpruned matrix as it is.
    bool is_certain(const Spliced& columns, int distance, const std::vector<char>& backwards,
                    const Joint& joint) const {
        return limits_.beam < 0 || distance <= limits_.beam ||
               beyond_the_beam(columns, backwards, joint, words_.width, n_, m_, limits_.beam);
    }

    // The candidates of a list up to `end` have been looked at with this limit.
    struct Ahead {
        std::size_t end = 0;
        int limit = 0;
    };

    // Whether the distance after candidate `k` of a list is `limit` or less. Those that follow are
    // looked at with it, for together they take hardly longer.
    bool is_within(const std::vector<Candidates::Candidate>& list, std::size_t k, int l, int limit,
                   Ahead& ahead) {
        std::vector<int>& least = verdicts_.least(l);
        if (k >= ahead.end || limit != ahead.limit) {
            Exchange exchanges[Threshold::kTogether];
            std::size_t numbers[Threshold::kTogether];
            int count = 0;
            ahead = {k, limit};
            for (; count < Threshold::kTogether && ahead.end < list.size(); ++ahead.end) {
                if (least[ahead.end] > limit) continue;
                const Exchange x = exchange_of(list[ahead.end], l, n_);
                if (x.is_nothing()) continue;
                numbers[count] = ahead.end;
                exchanges[count++] = x;
            }
            const unsigned within = threshold_.within_each(exchanges, count, limit);
            for (int i = 0; i < count; ++i)
                if (!((within >> i) & 1)) least[numbers[i]] = limit + 1;
        }
        return least[k] <= limit;
    }

    // The shift that tercom takes next. If there is one, the output, its columns, its steps and
    // `cost` become those after it.
    bool choose(int& cost, int least, Shift& chosen) {
        if (!marked_) marks_.read(steps_, n_, m_, words_.width, joint_);
        candidates_.collect(words_, hyp_.data(), n_, marks_, limits_.max_distance);
        work(static_cast<std::size_t>(n_) * (words_.width + kLongestShift));
        if (!threshold_.is_short()) verdicts_.recall(candidates_);
        int best = cost, spent = 0;
        Traced best_traced;
        Exchange taken{0, 0, 0};
        for (int l = kLongestShift - 1; l >= 0 && best - 1 >= least; --l) {
            const std::vector<Candidates::Candidate>& list = candidates_.list(l);
            std::size_t known = list.size();  // the candidate whose distance is known already
            int known_distance = 0;
            Ahead ahead;
            for (std::size_t k = 0; k < list.size(); ++k) {
                const Candidates::Candidate& c = list[k];
                // What better candidates have mended against the most that this one can mend.
                const int mended = cost - best - spent, most = 2 * (l + 1);
                if (mended > most || (spent && mended == most)) break;
                const int limit = best - 1;
                if (limit < least || limit + most < columns_.bottom[n_]) break;
                if (!threshold_.is_short() && verdicts_.least(l)[k] > limit) continue;
                const Exchange x = exchange_of(c, l, n_);
                if (x.is_nothing()) continue;
                work(static_cast<std::size_t>(x.r - x.p) * words_.width + kCandidateWork);
                if (known == k) {
                    if (known_distance > limit) continue;
                } else if (threshold_.is_short()) {
                    // Look at the next one too: it costs next to nothing.
                    const Exchange y = k + 1 < list.size() ? exchange_of(list[k + 1], l, n_) : x;
                    const auto [first, second] = threshold_.distances(x, y.is_nothing() ? x : y);
                    known = k + 1;
                    known_distance = second;
                    if (first > limit) continue;
                } else if (!is_within(list, k, l, limit, ahead)) {
                    continue;
                }
                Traced traced;
                const int after = search(x, cost, limit, traced);
                if (after > limit) continue;
                best = after;
                spent = 1;
                taken = x;
                best_traced = traced;
                chosen = {c.start, c.start + l, c.moveto, c.newloc};
                std::swap(best_columns_, trial_columns_);
                std::swap(best_steps_, trial_steps_);
            }
        }
        if (!spent) return false;
        cost = best;
        beam_columns_.change_behind(taken.p);
        const bool keeps = words_.width > 1 && candidates_.list(0).size() >= kWorthKeeping;
        Settled settled;
        if (keeps) settled = threshold_.settled_behind(best_columns_, taken, cost - 1);
        columns_.take(best_columns_, taken.p, n_, words_.width);
        std::rotate(hyp_.begin() + taken.p, hyp_.begin() + taken.q, hyp_.begin() + taken.r);
        threshold_.change(hyp_.data(), taken.r);
        if (keeps) {
            settled.before = threshold_.settled_before(taken, settled);
            verdicts_.keep(candidates_, settled);
        }
        if (best_traced.is_there) {
            std::swap(steps_, best_steps_);
            joint_ = best_traced.joint;
            marked_ = false;
        } else {
            const Former former{marks_, steps_};
            trace_whole(goes_on() ? &former : nullptr, taken.p);
        }
        is_canonical_ = best_traced.is_canonical;
        return true;
    }

    // What is known of the path of a shifted output.
    struct Traced {
        bool is_there = false;      // whether there are steps
        bool is_canonical = true;   // whether they are those without a beam
        Joint joint;
    };

    // The cost after an exchange, beam and all, if it is `limit` or less; `cost` is that of the output
    // as it stands. The steps are traced only where the beam makes it necessary.
    int search(const Exchange& x, int cost, int limit, Traced& traced) {
        // Where the beam has raised the cost, the true distance has rejected few.
        const bool raised = cost > columns_.bottom[n_];
        if (raised && !may_be_within(x, cost, limit)) return BeamSearch::kTooFar;
        work(static_cast<std::size_t>(n_ - x.p) * words_.width * kColumnWork);
        trial_ = hyp_;
        std::rotate(trial_.begin() + x.p, trial_.begin() + x.q, trial_.begin() + x.r);
        trial_columns_.reserve(n_, words_.width);
        trial_columns_.advance(words_, trial_.data(), x.p, n_, m_, columns_);
        const Spliced columns{columns_, trial_columns_, x.p};
        const int distance = trial_columns_.bottom[n_];
        if (limits_.beam < 0 || distance <= limits_.beam) return distance;
        traced.is_there = true;
        const Former former{marks_, steps_};
        traced.joint = trace(columns, words_, trial_.data(), n_, m_, goes_on() ? &former : nullptr,
                             trial_steps_);
        if (is_certain(columns, distance, trial_steps_, traced.joint)) return distance;
        traced.is_canonical = false;
        traced.joint = {};
        if (!raised && !may_be_within(x, cost, limit)) return BeamSearch::kTooFar;
        return beam_.run(trial_.data(), n_, words_.ref.data(), m_, limits_.beam, limit, trial_steps_,
                         poll_);
    }

    // False if the cost with the beam is above the limit.
    bool may_be_within(const Exchange& x, int cost, int limit) {
        return !beam_columns_.usable() ||
               beam_columns_.within(hyp_.data(), x, cost, limit, threshold_.backward(x.r), poll_);
    }

    // So many words for each edit that the words that agree come in runs.
    static constexpr int kAgreeing = 5;

    // So many candidates that it is quicker to remember what was said of them.
    static constexpr std::size_t kWorthKeeping = 16;

    // Nanoseconds, roughly: a word of a column, a candidate.
    static constexpr std::size_t kColumnWork = 3, kCandidateWork = 50;

    void work(std::size_t steps) {
        if (poll_) poll_->work(steps);
    }

    Vocabulary words_;
    Limits limits_;
    Poll* poll_ = nullptr;
    int n_ = 0, m_ = 0;
    std::vector<std::int32_t> hyp_, trial_;
    Forward columns_, trial_columns_, best_columns_;
    std::vector<char> steps_, trial_steps_, best_steps_;
    BeamSearch beam_;
    BeamColumns beam_columns_;
    Marks marks_;
    bool marked_ = false;  // whether marks_ are of steps_ already
    bool is_canonical_ = true;  // whether steps_ are those without a beam
    Joint joint_;  // of steps_ with those that marks_ are of
    Candidates candidates_;
    Threshold threshold_;
    Verdicts verdicts_;
};

}  // namespace ter
