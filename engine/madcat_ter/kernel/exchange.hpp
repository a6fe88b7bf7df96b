// A shift as the search sees it.
#pragma once

#include <algorithm>

namespace ter {

// Every shift of C is an exchange of neighbours: C[0..p) C[q..r) C[p..q) C[r..n).
struct Exchange {
    int p, q, r;

    // The words of the shorter neighbour.
    int moved() const { return std::min(q - p, r - q); }
    bool is_nothing() const { return q >= r || p >= q; }
};

// Which word stands at `j` after the exchange.
inline int source(const Exchange& x, int j) {
    const int block = x.r - x.q;
    int from = j >= x.p ? j + (x.q - x.p) : j;
    from = j >= x.p + block ? j - block : from;
    return j >= x.r ? j : from;
}

}  // namespace ter
