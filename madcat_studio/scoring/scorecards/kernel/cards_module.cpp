// The inner loops of the scorecards: chrF2 of many texts, the counts of chrF++, and langdetect's
// arithmetic. The Python of scoring/scorecards (chrf.py, rosetta_counts.py, langid.py) is the twin:
// same names, same numbers, bit for bit.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <compare>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python_lock.hpp"

namespace nb = nanobind;

namespace {

constexpr int kOrders = 6;

std::u32string code_points(nb::handle text) {
    if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a text must be a str");
    const Py_ssize_t length = PyUnicode_GetLength(text.ptr());
    std::u32string found(static_cast<std::size_t>(length), 0);
    static_assert(sizeof(char32_t) == sizeof(Py_UCS4));
    if (length && !PyUnicode_AsUCS4(text.ptr(), reinterpret_cast<Py_UCS4*>(found.data()), length, 0))
        throw nb::python_error();
    return found;
}

// Lets Ctrl+C through, now and then, while others have Python's lock.
class Signals {
public:
    void look() {
        const auto now = std::chrono::steady_clock::now();
        if (now - last_ < std::chrono::milliseconds(20)) return;
        last_ = now;
        const ter::Locked lock;
        if (PyErr_CheckSignals() != 0) throw nb::python_error();
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

// A vector handed over to numpy without copying it.
nb::ndarray<nb::numpy, double> give(std::vector<double>&& values,
                                    std::initializer_list<std::size_t> shape) {
    auto kept = std::make_unique<std::vector<double>>(std::move(values));
    double* data = kept->data();
    nb::capsule owner(kept.release(), [](void* p) noexcept {
        delete static_cast<std::vector<double>*>(p);
    });
    return nb::ndarray<nb::numpy, double>(data, shape, owner);
}

// Up to six code points of 21 bits.
struct Gram {
    std::uint64_t high = 0, low = 0;
    auto operator<=>(const Gram&) const = default;
};

std::vector<Gram> grams(const std::u32string& text, int order) {
    std::vector<Gram> found(text.size() - static_cast<std::size_t>(order) + 1);
    for (std::size_t i = 0; i < found.size(); ++i)
        for (int k = 0; k < order; ++k) {
            std::uint64_t& half = k < 3 ? found[i].low : found[i].high;
            half = half << 21 | text[i + static_cast<std::size_t>(k)];
        }
    std::sort(found.begin(), found.end());
    return found;
}

std::size_t common(const std::vector<Gram>& left, const std::vector<Gram>& right) {
    std::size_t matches = 0;
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
        const auto order = left[i] <=> right[j];
        if (order == 0) ++matches, ++i, ++j;
        else if (order < 0) ++i;
        else ++j;
    }
    return matches;
}

double chrf2(const std::u32string& output, const std::u32string& reference) {
    if (output == reference) return 100.0;
    if (output.empty() || reference.empty()) return 0.0;
    double total = 0.0;
    const int both = static_cast<int>(std::min({std::size_t{kOrders}, output.size(), reference.size()}));
    for (int order = 1; order <= both; ++order) {
        const auto left = grams(output, order), right = grams(reference, order);
        const std::size_t matches = common(left, right);
        if (!matches) break;
        total += static_cast<double>(5 * matches) / static_cast<double>(4 * right.size() + left.size());
    }
    const auto either = std::min(std::size_t{kOrders}, std::max(output.size(), reference.size()));
    return 100.0 * total / static_cast<double>(either);
}

// Of each output and its reference so many numbers, by `work(output, reference, where they go)`.
// Python's lock is free meanwhile, and Ctrl+C is heard between two texts.
template <class Work>
std::vector<double> of_each(nb::list outputs, nb::list references, std::size_t numbers, Work work) {
    if (nb::len(outputs) != nb::len(references))
        throw std::invalid_argument("there must be as many references as outputs");
    std::vector<std::u32string> left, right;
    for (nb::handle text : outputs) left.push_back(code_points(text));
    for (nb::handle text : references) right.push_back(code_points(text));
    std::vector<double> found(left.size() * numbers);
    {
        const ter::Unlocked unlocked;
        Signals signals;
        for (std::size_t i = 0; i < left.size(); ++i) {
            signals.look();
            work(left[i], right[i], found.data() + i * numbers);
        }
    }
    return found;
}

nb::ndarray<nb::numpy, double> chrf2_all(nb::list outputs, nb::list references) {
    const std::size_t count = nb::len(outputs);
    auto scores = of_each(outputs, references, 1,
                          [](const auto& output, const auto& reference, double* score) {
                              *score = chrf2(output, reference);
                          });
    return give(std::move(scores), {count});
}

// What Python's str.split() parts words at.
bool is_blank(char32_t c) {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
           c == 0x3000;
}

bool is_punctuation(char32_t c) {
    return (c >= 0x21 && c <= 0x2F) || (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60) ||
           (c >= 0x7B && c <= 0x7E);
}

using Words = std::vector<std::u32string_view>;

// A text as chrF++ sees it: its characters without blanks, and its words with a mark at their end, or
// else at their beginning, set apart. The words point into the text.
struct Parted {
    std::u32string letters;
    Words words;
};

Parted part(const std::u32string& text) {
    Parted found;
    found.letters.reserve(text.size());
    const std::u32string_view whole(text);
    for (std::size_t i = 0; i < text.size();) {
        if (is_blank(text[i])) {
            ++i;
            continue;
        }
        std::size_t end = i;
        while (end < text.size() && !is_blank(text[end])) ++end;
        const auto word = whole.substr(i, end - i);
        found.letters += word;
        const std::size_t last = word.size() - 1;
        if (last && is_punctuation(word[last])) {
            found.words.push_back(word.substr(0, last));
            found.words.push_back(word.substr(last));
        } else if (last && is_punctuation(word[0])) {
            found.words.push_back(word.substr(0, 1));
            found.words.push_back(word.substr(1));
        } else {
            found.words.push_back(word);
        }
        i = end;
    }
    return found;
}

// The size of the common part of two sorted multisets.
template <class Item>
std::size_t shared(std::vector<Item> left, std::vector<Item> right) {
    std::sort(left.begin(), left.end());
    std::sort(right.begin(), right.end());
    std::size_t matches = 0;
    for (std::size_t i = 0, j = 0; i < left.size() && j < right.size();) {
        if (left[i] == right[j]) ++matches, ++i, ++j;
        else if (left[i] < right[j]) ++i;
        else ++j;
    }
    return matches;
}

std::vector<std::pair<std::u32string_view, std::u32string_view>> pairs(const Words& words) {
    std::vector<std::pair<std::u32string_view, std::u32string_view>> found;
    for (std::size_t i = 1; i < words.size(); ++i) found.emplace_back(words[i - 1], words[i]);
    return found;
}

constexpr std::size_t kCounts = 24;

void count_one(const std::u32string& output, const std::u32string& reference, double* row) {
    const Parted left = part(output), right = part(reference);
    const auto put = [&row](std::size_t in_output, std::size_t in_reference, std::size_t matches) {
        // Where the reference has no n-gram, those of the output do not count.
        *row++ = in_reference ? static_cast<double>(in_output) : 0.0;
        *row++ = static_cast<double>(in_reference);
        *row++ = static_cast<double>(matches);
    };
    for (std::size_t order = 1; order <= kOrders; ++order) {
        const auto number = [order](const std::u32string& text) {
            return text.size() < order ? std::size_t{0} : text.size() - order + 1;
        };
        const std::size_t here = number(left.letters), there = number(right.letters);
        const int size = static_cast<int>(order);
        put(here, there, here && there ? common(grams(left.letters, size), grams(right.letters, size)) : 0);
    }
    put(left.words.size(), right.words.size(), shared(left.words, right.words));
    const auto here = pairs(left.words), there = pairs(right.words);
    put(here.size(), there.size(), shared(here, there));
}

nb::ndarray<nb::numpy, double> chrf_counts(nb::list outputs, nb::list references) {
    const std::size_t count = nb::len(outputs);
    auto rows = of_each(outputs, references, kCounts, count_one);
    return give(std::move(rows), {count, kCounts});
}

struct Limits {
    int trials, iterations;
    double alpha, alpha_width, base, sure;
};

// The words of CPython's generator and what it makes of them.
class Stream {
public:
    Stream(const std::uint32_t* words, std::size_t size) : words_(words), size_(size) {}

    std::uint32_t next() {
        if (at_ == size_) throw std::out_of_range("the random words are used up");
        return words_[at_++];
    }
    double unit() {
        const std::uint32_t a = next() >> 5, b = next() >> 6;
        return (a * 67108864.0 + b) * (1.0 / 9007199254740992.0);
    }
    double gauss() {
        if (has_spare_) {
            has_spare_ = false;
            return spare_;
        }
        const double angle = unit() * (2.0 * 3.141592653589793);
        const double radius = std::sqrt(-2.0 * std::log(1.0 - unit()));
        spare_ = std::sin(angle) * radius;
        has_spare_ = true;
        return std::cos(angle) * radius;
    }
    std::size_t below(std::size_t limit, int shift) {
        std::size_t value;
        do value = next() >> shift;
        while (value >= limit);
        return value;
    }

private:
    const std::uint32_t* words_;
    std::size_t size_, at_ = 0;
    double spare_ = 0.0;
    bool has_spare_ = false;
};

int bit_length(std::size_t value) {
    int bits = 0;
    for (; value; value >>= 1) ++bits;
    return bits;
}

void detect_one(const double* table, std::size_t width, const std::int64_t* rows, std::size_t count,
                Stream stream, const Limits& limits, double* chance, double* total) {
    const int shift = 32 - bit_length(count);
    double weight = 0.0;
    const auto multiply = [&] {
        const double* row = table + static_cast<std::size_t>(rows[stream.below(count, shift)]) * width;
        for (std::size_t i = 0; i < width; ++i) chance[i] *= weight + row[i];
    };
    std::fill(total, total + width, 0.0);
    for (int trial = 0; trial < limits.trials; ++trial) {
        std::fill(chance, chance + width, 1.0 / static_cast<double>(width));
        weight = (limits.alpha + stream.gauss() * limits.alpha_width) / limits.base;
        multiply();
        for (int iteration = 0;; iteration += 5) {
            double sum = 0.0, largest = 0.0;
            for (std::size_t i = 0; i < width; ++i) sum += chance[i];
            for (std::size_t i = 0; i < width; ++i) largest = std::max(largest, chance[i] /= sum);
            if (largest > limits.sure || iteration >= limits.iterations) break;
            for (int step = 0; step < 5; ++step) multiply();
        }
        for (std::size_t i = 0; i < width; ++i) total[i] += chance[i] / limits.trials;
    }
}

using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Draws = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::ndarray<nb::numpy, double> detect(Table table, Rows rows, Rows ends, Draws words, int trials,
                                      int iterations, double alpha, double alpha_width, double base,
                                      double sure) {
    const std::size_t width = table.shape(1), count = ends.shape(0);
    const Limits limits{trials, iterations, alpha, alpha_width, base, sure};
    std::int64_t start = 0;
    for (std::size_t i = 0; i < count; ++i) {
        if (ends.data()[i] <= start) throw std::invalid_argument("a text without n-grams");
        start = ends.data()[i];
    }
    if (static_cast<std::size_t>(start) > rows.shape(0))
        throw std::invalid_argument("the last text ends behind the n-grams");
    for (std::size_t i = 0; i < static_cast<std::size_t>(start); ++i)
        if (rows.data()[i] < 0 || static_cast<std::size_t>(rows.data()[i]) >= table.shape(0))
            throw std::invalid_argument("an n-gram that the table does not have");
    std::vector<double> totals(count * width), chance(width);
    {
        const ter::Unlocked unlocked;
        Signals signals;
        std::int64_t begin = 0;
        for (std::size_t i = 0; i < count; ++i) {
            signals.look();
            const std::int64_t end = ends.data()[i];
            detect_one(table.data(), width, rows.data() + begin, static_cast<std::size_t>(end - begin),
                       Stream(words.data(), words.shape(0)), limits, chance.data(),
                       totals.data() + i * width);
            begin = end;
        }
    }
    return give(std::move(totals), {count, width});
}

}  // namespace

NB_MODULE(_cards, m) {
    m.def("chrf2", &chrf2_all, nb::arg("outputs"), nb::arg("references"));
    m.def("chrf_counts", &chrf_counts, nb::arg("outputs"), nb::arg("references"));
    m.def("detect", &detect, nb::arg("table"), nb::arg("rows"), nb::arg("ends"), nb::arg("words"),
          nb::arg("trials"), nb::arg("iterations"), nb::arg("alpha"), nb::arg("alpha_width"),
          nb::arg("base"), nb::arg("sure"));
}
