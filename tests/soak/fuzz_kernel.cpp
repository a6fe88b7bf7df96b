// Random pairs and random bytes through the kernel, compiled with sanitizers by fuzz_kernel.py.
// The fast search must agree with the plain one; everything must stay within its memory.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "nist.hpp"
#include "plain.hpp"
#include "unit.hpp"
#include "wer.hpp"
#include "words.hpp"

namespace {

using Random = std::mt19937_64;

int below(Random& random, int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); }

std::vector<std::int32_t> any_words(Random& random, int length, int vocabulary) {
    std::vector<std::int32_t> words(length);
    for (auto& word : words) word = below(random, vocabulary);
    return words;
}

void edit(Random& random, std::vector<std::int32_t>& words, int vocabulary) {
    for (int times = below(random, 8); times > 0 && !words.empty(); --times) {
        const int size = static_cast<int>(words.size());
        const int a = below(random, size), b = a + below(random, std::min(size - a, 30)) + 1;
        switch (below(random, 4)) {
            case 0: words.erase(words.begin() + a, words.begin() + b); break;
            case 1: words[a] = below(random, vocabulary); break;
            case 2: words.insert(words.begin() + a, below(random, vocabulary)); break;
            default: {
                const int c = below(random, a + 1);
                std::rotate(words.begin() + c, words.begin() + a, words.begin() + b);
            }
        }
    }
}

bool same(const ter::Result& one, const ter::Result& two) {
    if (one.cost != two.cost || one.path != two.path || one.shifts.size() != two.shifts.size())
        return false;
    for (std::size_t k = 0; k < one.shifts.size(); ++k) {
        const ter::Shift &a = one.shifts[k], &b = two.shifts[k];
        if (a.start != b.start || a.end != b.end || a.moveto != b.moveto || a.newloc != b.newloc)
            return false;
    }
    return true;
}

}  // namespace

int main(int count, char** arguments) {
    const double seconds = count > 1 ? std::atof(arguments[1]) : 10;
    Random random(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
    ter::UnitSearch fast;
    ter::PlainSearch plain;
    ter::Result one, two;
    ter::Interner interner;
    ter::MinimumEdits minimum;
    const auto start = std::chrono::steady_clock::now();
    long pairs = 0, compared = 0, texts = 0;
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    while (elapsed() < seconds) {
        const bool is_long = below(random, 100) == 0;
        const int most = is_long ? 400 : below(random, 4) == 0 ? 130 : 20;
        const int vocabulary = is_long ? 50 + below(random, 500) : 1 + below(random, 40);
        auto reference = any_words(random, below(random, most), vocabulary);
        auto output = reference;
        if (below(random, 3))
            edit(random, output, vocabulary);
        else
            output = any_words(random, below(random, most), vocabulary);
        // Few kinds of words, more than a row of bits has, and beams that raise the cost.
        const bool is_raised = !is_long && below(random, 60) == 0;
        if (is_raised) {
            const int kinds = 2 + below(random, 20);
            reference = any_words(random, 60 + below(random, 60), kinds);
            output = below(random, 2) ? reference
                                      : any_words(random, 60 + below(random, 60), kinds);
            edit(random, output, kinds);
        }
        // Ids must be less than the number of words.
        const int limit = static_cast<int>(output.size() + reference.size());
        for (auto* words : {&output, &reference})
            for (auto& word : *words) word %= limit;
        const int beams[] = {20, 20, 20, 0, 1, 5, -1}, distances[] = {50, 50, 50, 0, 1, 3, 1 << 28};
        ter::Limits limits{beams[below(random, 7)], distances[below(random, 7)]};
        if (is_raised) limits.beam = below(random, 8);
        const int n = static_cast<int>(output.size()), m = static_cast<int>(reference.size());
        fast.run(output.data(), n, reference.data(), m, limits, one, nullptr);
        ++pairs;
        if (n + m < 24 || is_raised || below(random, n + m < 60 ? 8 : n + m < 260 ? 60 : 2000) == 0) {
            plain.run(output.data(), n, reference.data(), m, {}, limits, {}, two,
                      nullptr);
            ++compared;
            if (!same(one, two)) {
                std::printf("different: pair %ld, %d and %d words\n", pairs, n, m);
                return 1;
            }
        }
        if (n + m < 24) {
            const double values[] = {0.3, 0.5, 1, 2};
            const auto cost = [&] { return values[below(random, 4)]; };
            plain.run(output.data(), n, reference.data(), m, {0, cost(), cost(), cost(), cost()},
                      limits, {}, two, nullptr);
        }
        ter::nist_path(output.data(), n, reference.data(), m);
        minimum.run(output.data(), n, reference.data(), m);

        // Texts of any bytes, with those that the rules name more often.
        static const char kNamed[] = " \t\n\v\f\r.,-'s\"!?():;/&<>09a";
        std::string made[2];
        for (std::string& text : made) {
            for (int length = below(random, 60); length > 0; --length) {
                if (below(random, 3))
                    text += kNamed[below(random, sizeof kNamed - 1)];
                else if (below(random, 8) == 0)
                    text += below(random, 2) ? "<skipped>" : "&amp;";
                else
                    text += static_cast<char>(below(random, 256));
            }
        }
        ter::Splitter splitter(below(random, 2), below(random, 2));
        ter::Words a, b;
        splitter.split(made[0], a);
        splitter.split(made[1], b);
        std::vector<std::int32_t> ids, others;
        interner.pair(a, b, ids, others);
        std::size_t kept = 0;
        for (auto word : a) kept += word.size();
        if (kept > made[0].size()) {
            std::printf("words longer than their text\n");
            return 1;
        }
        texts += 2;
    }
    std::printf("%ld pairs, %ld of them against the plain search, %ld texts, %.0f s\n", pairs,
                compared, texts, elapsed());
    return 0;
}
