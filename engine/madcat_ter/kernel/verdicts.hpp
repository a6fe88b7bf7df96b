// What earlier rounds have said of shifts, for the rounds after them.
//
// A shift that has been taken changes the distances around it. A few columns further all values that
// matter have changed by one number, and so has what any shift there comes to: a shift that was too
// far from the reference then is so now, and need not be looked at again.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "candidates.hpp"
#include "exchange.hpp"
#include "threshold.hpp"

namespace ter {

class Verdicts {
   public:
    // Of a new pair, whose output has `n` words.
    void begin(int n) {
        n_ = n;
        is_first_ = true;
        if (places_.size() < static_cast<std::size_t>(n) + 1) {
            places_.assign(static_cast<std::size_t>(n) + 1, Place{});
            generation_ = 0;
        }
    }

    // A shift has been taken. What was said of `candidates` holds where the distances have settled.
    void keep(Candidates& candidates, const Settled& settled) {
        settled_ = settled;
        is_first_ = false;
        former_.swap_lists(candidates);
        former_least_.swap(least_);
    }

    // Of the candidates of a new round: what is known of each already.
    void recall(const Candidates& candidates) {
        for (int l = 0; l < kLongestShift; ++l) {
            least_[l].assign(candidates.list(l).size(), 0);
            if (!is_first_) recall(candidates.list(l), l);
        }
        is_first_ = true;  // until keep()
    }

    // For each of the list of blocks of `l` + 1 words: its distance is this or more.
    std::vector<int>& least(int l) { return least_[l]; }

   private:
    struct Place {
        std::uint32_t generation = 0;
        int least = 0;
    };

    void recall(const std::vector<Candidates::Candidate>& list, int l) {
        const std::vector<Candidates::Candidate>& former = former_.list(l);
        std::size_t at = 0;
        int start = -1;
        for (std::size_t k = 0; k < list.size(); ++k) {
            const Candidates::Candidate& c = list[k];
            if (c.start != start) {  // both lists go by the start
                start = c.start;
                next_generation();
                while (at < former.size() && former[at].start < start) ++at;
                for (; at < former.size() && former[at].start == start; ++at)
                    places_[former[at].newloc + 1] = {generation_, former_least_[l][at]};
            }
            const Place& place = places_[c.newloc + 1];
            if (place.generation != generation_) continue;
            if (settled_.holds(exchange_of(c, l, n_)))
                least_[l][k] = std::min(place.least + settled_.gain, settled_.most);
        }
    }

    void next_generation() {
        if (++generation_ != 0) return;
        std::fill(places_.begin(), places_.end(), Place{});
        generation_ = 1;
    }

    int n_ = 0;
    bool is_first_ = true;
    Settled settled_;
    Candidates former_;
    std::array<std::vector<int>, kLongestShift> least_, former_least_;
    std::vector<Place> places_;
    std::uint32_t generation_ = 0;
};

}  // namespace ter
