// A shift as the search sees it.
#pragma once

namespace ter {

// Every shift of C is an exchange of neighbours: C[0..p) C[q..r) C[p..q) C[r..n).
struct Exchange {
    int p, q, r;
};

// Which word stands at `j` after the exchange.
inline int source(const Exchange& x, int j) {
    const int block = x.r - x.q;
    int from = j >= x.p ? j + (x.q - x.p) : j;
    from = j >= x.p + block ? j - block : from;
    return j >= x.r ? j : from;
}

}  // namespace ter
