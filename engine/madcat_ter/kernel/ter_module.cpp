// What Python sees of the searches: word ids, costs and limits go in; counts, path and shifts come
// out. The interpreter's lock is released while they run.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#if defined(__x86_64__) || defined(__amd64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <vector>

#include "like_sacrebleu.hpp"
#include "nist.hpp"
#include "numpy_out.hpp"
#include "plain.hpp"
#include "python_poll.hpp"
#include "result.hpp"
#include "team.hpp"
#include "unit.hpp"
#include "wer.hpp"

namespace nb = nanobind;

namespace {

using Ids = std::vector<std::int32_t>;
using CostTuple = std::tuple<double, double, double, double, double>;
using Spans = std::vector<ter::Span>;
using ShiftTuple = std::tuple<int, int, int, int>;

constexpr int kMost = 1 << 28;  // more than any beam or distance that can matter

ter::Costs costs_from(const CostTuple& t) {
    const ter::Costs costs{std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t),
                           std::get<4>(t)};
    for (double cost : {costs.match, costs.shift, costs.insertion, costs.deletion,
                        costs.substitution})
        if (!std::isfinite(cost) || cost < 0)
            throw std::invalid_argument("costs must be finite and not negative");
    return costs;
}

ter::Limits limits_from(long long beam, long long max_distance) {
    return {static_cast<int>(std::clamp<long long>(beam, -1, kMost)),
            static_cast<int>(std::clamp<long long>(max_distance, 0, kMost))};
}

// Ids must be small, for they are looked up in a table.
void check_ids(const std::int32_t* output, std::size_t n, const std::int32_t* reference,
               std::size_t m) {
    const auto highest = [](const std::int32_t* ids, std::size_t count) {
        std::uint32_t found = 0;
        for (std::size_t k = 0; k < count; ++k)
            found = std::max(found, static_cast<std::uint32_t>(ids[k]));
        return found;
    };
    if (n + m && std::max(highest(output, n), highest(reference, m)) >= n + m)
        throw std::invalid_argument(
            "word ids must be 0 or more and less than the number of words");
}

// Both kinds of search, with the buffers that they keep.
class Searcher {
   public:
    void run(const std::int32_t* output, int n, const std::int32_t* reference, int m,
             const ter::Costs& costs, const ter::Limits& limits, const ter::Spans& spans,
             ter::Poll* poll) {
        if (costs.unit() && !spans.output)
            unit_.run(output, n, reference, m, limits, result, poll);
        else
            plain_.run(output, n, reference, m, costs, limits, spans, result, poll);
    }

    ter::Result result;

   private:
    ter::UnitSearch unit_;
    ter::PlainSearch plain_;
};

std::tuple<double, std::string, std::vector<ShiftTuple>> align(
    const Ids& output, const Ids& reference, const CostTuple& costs, long long beam,
    long long max_distance, const std::optional<Spans>& output_spans,
    const std::optional<Spans>& reference_spans, nb::object poll, bool spans_move) {
    if (output_spans.has_value() != reference_spans.has_value())
        throw std::invalid_argument("spans are needed for both texts or for neither");
    if (output_spans && (output_spans->size() != output.size() ||
                         reference_spans->size() != reference.size()))
        throw std::invalid_argument("there must be one span for each word");
    const ter::Costs exact = costs_from(costs);
    const ter::Limits limits = limits_from(beam, max_distance);
    ter::Spans spans;
    if (output_spans) spans = {output_spans->data(), reference_spans->data(), spans_move};
    check_ids(output.data(), output.size(), reference.data(), reference.size());
    ter::PythonPoll ask(std::move(poll));
    Searcher searcher;
    {
        ter::Unlocked unlocked;
        searcher.run(output.data(), static_cast<int>(output.size()), reference.data(),
                     static_cast<int>(reference.size()), exact, limits, spans, &ask);
    }
    std::vector<ShiftTuple> shifts;
    for (const ter::Shift& s : searcher.result.shifts)
        shifts.emplace_back(s.start, s.end, s.moveto, s.newloc);
    return {searcher.result.cost, std::move(searcher.result.path), std::move(shifts)};
}

template <typename T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void check_ends(const Array<std::int64_t>& ends, std::size_t total, std::size_t pairs) {
    if (ends.size() != pairs)
        throw std::invalid_argument("there must be as many references as outputs");
    std::int64_t before = 0;
    for (std::size_t k = 0; k < pairs; ++k) {
        const std::int64_t end = ends.data()[k];
        if (end < before || end > static_cast<std::int64_t>(total) || end - before > kMost)
            throw std::invalid_argument("the ends of the texts must rise within the ids");
        before = end;
    }
}

// One of the pairs, whose ids lie one after the other.
struct Pair {
    Pair(const Array<std::int32_t>& outputs, const Array<std::int64_t>& output_ends,
         const Array<std::int32_t>& references, const Array<std::int64_t>& reference_ends,
         std::size_t k) {
        const std::int64_t a = k ? output_ends.data()[k - 1] : 0;
        const std::int64_t b = k ? reference_ends.data()[k - 1] : 0;
        n = static_cast<std::int32_t>(output_ends.data()[k] - a);
        m = static_cast<std::int32_t>(reference_ends.data()[k] - b);
        output = outputs.data() + a;
        reference = references.data() + b;
        check_ids(output, n, reference, m);
    }

    const std::int32_t *output, *reference;
    std::int32_t n, m;
};

struct PairResult {
    std::int32_t counts[5];
    double cost;
};

// What one thread keeps of its pairs.
struct Kept {
    std::string paths;
    std::vector<std::int32_t> shifts;
};

struct Place {
    std::int32_t thread;
    std::int64_t path, path_end, shift, shift_end;
};

nb::tuple align_batch(const Array<std::int32_t>& outputs, const Array<std::int64_t>& output_ends,
                      const Array<std::int32_t>& references,
                      const Array<std::int64_t>& reference_ends, const CostTuple& costs,
                      long long beam, long long max_distance, int jobs, bool details,
                      nb::object poll) {
    const std::size_t pairs = output_ends.size();
    check_ends(output_ends, outputs.size(), pairs);
    check_ends(reference_ends, references.size(), pairs);
    const ter::Costs exact = costs_from(costs);
    const ter::Limits limits = limits_from(beam, max_distance);
    jobs = std::clamp<int>(jobs, 1, 256);
    ter::PythonPoll ask(std::move(poll));

    std::vector<PairResult> results(pairs);
    std::vector<Place> places(details ? pairs : 0);
    std::vector<Kept> kept(jobs);
    {
        ter::Unlocked unlocked;
        ter::share_out(pairs, jobs, ask, [&](int thread) {
            return [&, thread, searcher = std::make_unique<Searcher>()](std::size_t k,
                                                                        ter::Poll& own_poll) {
                const Pair pair(outputs, output_ends, references, reference_ends, k);
                searcher->run(pair.output, pair.n, pair.reference, pair.m, exact, limits, {},
                              &own_poll);
                const ter::Result& found = searcher->result;
                // A step takes a word of one side or of both.
                const auto length = static_cast<std::int32_t>(found.path.size());
                const auto wrong = static_cast<std::int32_t>(
                    std::count(found.path.begin(), found.path.end(), 'S'));
                std::int32_t moved = 0;
                for (const ter::Shift& s : found.shifts) moved += s.end - s.start + 1;
                results[k] = {{length - pair.m, length - pair.n, wrong,
                               static_cast<std::int32_t>(found.shifts.size()), moved},
                              found.cost};
                if (!details) return;
                Kept& mine = kept[thread];
                const auto path = static_cast<std::int64_t>(mine.paths.size());
                const auto shift = static_cast<std::int64_t>(mine.shifts.size());
                mine.paths += found.path;
                for (const ter::Shift& s : found.shifts)
                    mine.shifts.insert(mine.shifts.end(), {s.start, s.end, s.moveto, s.newloc});
                places[k] = {thread, path, static_cast<std::int64_t>(mine.paths.size()), shift,
                             static_cast<std::int64_t>(mine.shifts.size())};
            };
        });
    }

    std::vector<std::int32_t> counts(pairs * 5);
    std::vector<double> cost(pairs);
    for (std::size_t k = 0; k < pairs; ++k) {
        std::copy_n(results[k].counts, 5, counts.begin() + 5 * k);
        cost[k] = results[k].cost;
    }
    if (!details)
        return nb::make_tuple(give(std::move(counts), {pairs, 5}), give(std::move(cost), {pairs}));
    std::string paths;
    std::vector<std::int32_t> shifts;
    std::vector<std::int64_t> path_ends(pairs), shift_ends(pairs);
    for (std::size_t k = 0; k < pairs; ++k) {
        const Place& at = places[k];
        const Kept& from = kept[at.thread];
        paths.append(from.paths, at.path, at.path_end - at.path);
        shifts.insert(shifts.end(), from.shifts.begin() + at.shift,
                      from.shifts.begin() + at.shift_end);
        path_ends[k] = static_cast<std::int64_t>(paths.size());
        shift_ends[k] = static_cast<std::int64_t>(shifts.size() / 4);
    }
    const std::size_t total = shifts.size() / 4;
    return nb::make_tuple(give(std::move(counts), {pairs, 5}), give(std::move(cost), {pairs}), paths,
                          give(std::move(path_ends), {pairs}), give(std::move(shifts), {total, 4}),
                          give(std::move(shift_ends), {pairs}));
}

// Counts of matches, substitutions, deletions, insertions; all paths in one string; where each ends.
nb::tuple wer_batch(const Array<std::int32_t>& outputs, const Array<std::int64_t>& output_ends,
                    const Array<std::int32_t>& references,
                    const Array<std::int64_t>& reference_ends, bool nist, nb::object poll) {
    const std::size_t pairs = output_ends.size();
    check_ends(output_ends, outputs.size(), pairs);
    check_ends(reference_ends, references.size(), pairs);
    std::vector<std::int32_t> counts;
    std::vector<std::int64_t> ends;
    std::string paths;
    ter::PythonPoll ask(std::move(poll));
    {
        ter::Unlocked unlocked;
        ter::MinimumEdits minimum;
        std::string weighed;
        for (std::size_t k = 0; k < pairs; ++k) {
            const Pair pair(outputs, output_ends, references, reference_ends, k);
            const std::size_t both = static_cast<std::size_t>(pair.n) + pair.m;
            ask.work(both * 20 + static_cast<std::size_t>(pair.n) * pair.m / 16);
            if (nist)
                weighed = ter::nist_path(pair.output, pair.n, pair.reference, pair.m, &ask);
            const std::string& path =
                nist ? weighed : minimum.run(pair.output, pair.n, pair.reference, pair.m);
            std::int32_t kinds[256] = {};
            for (char step : path) ++kinds[static_cast<unsigned char>(step)];
            counts.insert(counts.end(), {kinds[' '], kinds['S'], kinds['D'], kinds['I']});
            paths += path;
            ends.push_back(static_cast<std::int64_t>(paths.size()));
        }
    }
    return nb::make_tuple(give(std::move(counts), {pairs, 4}), paths,
                          give(std::move(ends), {pairs}));
}

// The edits of each pair by sacrebleu's search.
nb::object like_sacrebleu_batch(const Array<std::int32_t>& outputs,
                                const Array<std::int64_t>& output_ends,
                                const Array<std::int32_t>& references,
                                const Array<std::int64_t>& reference_ends, int jobs,
                                nb::object poll) {
    const std::size_t pairs = output_ends.size();
    check_ends(output_ends, outputs.size(), pairs);
    check_ends(reference_ends, references.size(), pairs);
    ter::PythonPoll ask(std::move(poll));
    std::vector<std::int32_t> edits(pairs);
    {
        ter::Unlocked unlocked;
        ter::share_out(pairs, std::clamp(jobs, 1, 256), ask, [&](int) {
            return [&, search = std::make_unique<ter::LikeSacrebleu>()](std::size_t k,
                                                                        ter::Poll& own_poll) {
                const Pair pair(outputs, output_ends, references, reference_ends, k);
                edits[k] = search->run(pair.output, pair.n, pair.reference, pair.m, &own_poll);
            };
        });
    }
    return nb::cast(give(std::move(edits), {pairs}));
}

std::string nist_path(const Ids& output, const Ids& reference) {
    ter::PythonPoll ask{nb::none()};
    ter::Unlocked unlocked;
    return ter::nist_path(output.data(), static_cast<int>(output.size()), reference.data(),
                          static_cast<int>(reference.size()), &ask);
}

// Asked of the processor itself: not every compiler's library answers __builtin_cpu_supports.
bool has_avx2() {
#if defined(__x86_64__) || defined(__amd64__)
    unsigned a, b, c, d, saved, high;
    const auto bit = [](unsigned bits, int number) { return (bits >> number) & 1; };
    // popcnt, and a system that keeps the wide registers
    if (!__get_cpuid(1, &a, &b, &c, &d) || !bit(c, 23) || !bit(c, 27)) return false;
    asm volatile("xgetbv" : "=a"(saved), "=d"(high) : "c"(0));
    if (!bit(saved, 1) || !bit(saved, 2)) return false;
    // bmi, avx2, bmi2
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !bit(b, 3) || !bit(b, 5) || !bit(b, 8))
        return false;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && bit(c, 5);  // lzcnt
#else
    return false;
#endif
}

}  // namespace

NB_MODULE(KERNEL_MODULE, module) {
    module.def("align", &align, nb::arg("output"), nb::arg("reference"),
               nb::arg("costs") = CostTuple(0, 1, 1, 1, 1), nb::arg("beam") = 20,
               nb::arg("max_distance") = 50, nb::arg("output_spans") = nb::none(),
               nb::arg("reference_spans") = nb::none(), nb::arg("poll") = nb::none(),
               nb::arg("spans_move") = false);
    module.def("align_batch", &align_batch, nb::arg("outputs"), nb::arg("output_ends"),
               nb::arg("references"), nb::arg("reference_ends"), nb::arg("costs"), nb::arg("beam"),
               nb::arg("max_distance"), nb::arg("jobs") = 1, nb::arg("details") = true,
               nb::arg("poll") = nb::none());
    module.def("like_sacrebleu_batch", &like_sacrebleu_batch, nb::arg("outputs"),
               nb::arg("output_ends"), nb::arg("references"), nb::arg("reference_ends"),
               nb::arg("jobs") = 1, nb::arg("poll") = nb::none());
    module.def("wer_batch", &wer_batch, nb::arg("outputs"), nb::arg("output_ends"),
               nb::arg("references"), nb::arg("reference_ends"), nb::arg("nist"),
               nb::arg("poll") = nb::none());
    module.def("nist_path", &nist_path, nb::arg("output"), nb::arg("reference"));
    module.def("has_avx2", &has_avx2);
    module.attr("INTERFACE") = 3;  // kernel/__init__.py expects this number
}
