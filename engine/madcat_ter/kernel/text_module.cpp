// What Python sees of the text work: texts or words go in, word ids come out as flat arrays, pair by
// pair. The interpreter's lock is released as soon as the texts are known.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "listing.hpp"
#include "numpy_out.hpp"
#include "python_poll.hpp"
#include "python_words.hpp"
#include "words.hpp"

namespace nb = nanobind;

namespace {

std::string_view view(nb::handle text) {
    Py_ssize_t size = 0;
    if (!PyUnicode_Check(text.ptr())) throw nb::type_error("a text must be a str");
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (!data) throw nb::python_error();
    return {data, static_cast<std::size_t>(size)};
}

struct Flat {
    std::vector<std::int32_t> output_ids, reference_ids;
    std::vector<std::int64_t> output_ends, reference_ends;

    void end() {
        output_ends.push_back(static_cast<std::int64_t>(output_ids.size()));
        reference_ends.push_back(static_cast<std::int64_t>(reference_ids.size()));
    }

    nb::tuple give_all() {
        const std::size_t a = output_ids.size(), b = output_ends.size(), c = reference_ids.size();
        return nb::make_tuple(give(std::move(output_ids), {a}), give(std::move(output_ends), {b}),
                              give(std::move(reference_ids), {c}),
                              give(std::move(reference_ends), {b}));
    }
};

std::vector<std::string_view> views(nb::list texts) {
    std::vector<std::string_view> found;
    found.reserve(nb::len(texts));
    for (nb::handle text : texts) found.push_back(view(text));
    return found;
}

void check_equal(std::size_t outputs, std::size_t references) {
    if (outputs != references)
        throw std::invalid_argument("there must be as many references as outputs");
}

// Nanoseconds, roughly, that a byte of text takes, and a word of a list.
constexpr std::size_t kByteWork = 4, kWordWork = 8;

nb::tuple prepare(nb::list outputs, nb::list references, bool normalise, bool no_punctuation,
                  nb::object poll) {
    const auto output_texts = views(outputs), reference_texts = views(references);
    check_equal(output_texts.size(), reference_texts.size());
    Flat flat;
    ter::PythonPoll ask(std::move(poll));
    {
        ter::Unlocked unlocked;
        ter::Splitter splitter(normalise, no_punctuation);
        ter::Interner interner;
        ter::Words output, reference;
        for (std::size_t k = 0; k < output_texts.size(); ++k) {
            ask.work((output_texts[k].size() + reference_texts[k].size()) * kByteWork);
            splitter.split(output_texts[k], output);
            splitter.split(reference_texts[k], reference);
            interner.pair(output, reference, flat.output_ids, flat.reference_ids);
            flat.end();
            splitter.forget();
        }
    }
    return flat.give_all();
}

nb::tuple intern(nb::list outputs, nb::list references) {
    check_equal(nb::len(outputs), nb::len(references));
    Flat flat;
    ter::PythonInterner interner;
    ter::PythonPoll ask{nb::none()};
    for (std::size_t k = 0; k < nb::len(outputs); ++k) {
        const ter::PythonWords output(outputs[k]), reference(references[k]);
        ask.work((output.size() + reference.size()) * kWordWork);
        interner.pair(output, reference, flat.output_ids, flat.reference_ids);
        flat.end();
    }
    return flat.give_all();
}

// One plain Trans line: its id and its text; false if it has another form.
bool trans_line(std::string_view line, std::string_view& id, std::string_view& text) {
    const std::size_t bracket = line.rfind('(');
    if (bracket == std::string_view::npos || bracket + 2 >= line.size() ||
        line.find(')', bracket) != line.size() - 1 || ter::has_line_end(line))
        return false;
    id = line.substr(bracket + 1, line.size() - bracket - 2);
    text = ter::trimmed(line.substr(0, bracket));
    return true;
}

// Call `take(line)` for each line that is not empty, until it says false.
template <typename Take>
bool each_line(std::string_view rest, Take take) {
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (!line.empty() && !take(line)) return false;
    }
    return true;
}

// Two files of Trans lines whose ids are the same, each once and without a colon, straight to word
// ids: the names, the ids, and how many pairs have text on both sides. None for anything else.
nb::object trans_pairs(nb::bytes outputs, nb::bytes references, bool normalise,
                       bool no_punctuation, nb::object poll) {
    const std::string_view output_data(outputs.c_str(), outputs.size());
    const std::string_view reference_data(references.c_str(), references.size());
    Flat flat;
    std::vector<std::string_view> names;
    std::int64_t scored = 0;
    bool usual = true;
    ter::PythonPoll ask(std::move(poll));
    {
        ter::Unlocked unlocked;
        std::unordered_map<std::string_view, std::string_view> known;
        known.reserve(reference_data.size() / 64 + 16);
        // Both files mostly have the same order, and then nothing needs to be looked for.
        std::vector<std::pair<const std::string_view, std::string_view>*> in_order;
        std::size_t next = 0;
        std::string_view id, text;
        usual = each_line(reference_data, [&](std::string_view line) {
            ask.work(line.size() + 50);
            if (!trans_line(line, id, text)) return false;
            const auto [place, is_new] = known.emplace(id, text);
            in_order.push_back(&*place);
            return is_new;
        });
        ter::Splitter splitter(normalise, no_punctuation);
        ter::Interner interner;
        ter::Words output, reference;
        usual = usual && each_line(output_data, [&](std::string_view line) {
            if (!trans_line(line, id, text) || id.find(':') != std::string_view::npos) return false;
            auto* found = next < in_order.size() ? in_order[next++] : nullptr;
            if (!found || found->first != id) {
                const auto place = known.find(id);
                if (place == known.end()) return false;
                found = &*place;
            }
            // A text that was taken already has no data any more: the id comes a second time.
            if (found->second.data() == nullptr) return false;
            ask.work((text.size() + found->second.size()) * kByteWork);
            scored += !text.empty() && !found->second.empty();
            splitter.split(text, output);
            splitter.split(found->second, reference);
            interner.pair(output, reference, flat.output_ids, flat.reference_ids);
            flat.end();
            splitter.forget();
            found->second = std::string_view();
            names.push_back(id);
            return true;
        });
        usual = usual && names.size() == known.size();
    }
    if (!usual) return nb::none();
    nb::list ids;
    for (std::string_view name : names) {
        nb::object made = nb::steal(PyUnicode_DecodeUTF8(
            name.data(), static_cast<Py_ssize_t>(name.size()), nullptr));
        if (!made.is_valid()) throw nb::python_error();
        ids.append(made);
    }
    return nb::make_tuple(ids, flat.give_all(), scored);
}

// Ids and texts of Trans lines, `text (id)`; None if a line has another form, which is for the
// careful reader. Lines end at line feeds only; the text is UTF-8.
nb::object trans_lines(nb::bytes data) {
    nb::list ids, texts;
    const auto add = [](nb::list& list, std::string_view text) {
        nb::object made = nb::steal(PyUnicode_DecodeUTF8(
            text.data(), static_cast<Py_ssize_t>(text.size()), nullptr));
        if (!made.is_valid()) {
            PyErr_Clear();
            return false;
        }
        list.append(made);
        return true;
    };
    std::string_view id, text;
    if (!each_line({data.c_str(), data.size()}, [&](std::string_view line) {
            return trans_line(line, id, text) && add(ids, id) && add(texts, text);
        }))
        return nb::none();
    return nb::make_tuple(ids, texts);
}

// The lines of a .ter file: id, edits, words, rate, doubles as Java writes them.
std::string ter_lines(nb::list ids, nb::list edits, nb::list words) {
    const std::size_t count = nb::len(ids);
    if (nb::len(edits) != count || nb::len(words) != count)
        throw std::invalid_argument("there must be as many numbers as ids");
    std::string lines;
    for (std::size_t k = 0; k < count; ++k) {
        const double e = nb::cast<double>(edits[k]), w = nb::cast<double>(words[k]);
        lines += view(ids[k]);
        for (double value : {e, w, w > 0 ? e / w : e > 0 ? 1.0 : 0.0}) {
            lines += ' ';
            ter::append_java_double(lines, value);
        }
        lines += '\n';
    }
    return lines;
}

nb::list split(nb::str text, bool normalise, bool no_punctuation) {
    ter::Splitter splitter(normalise, no_punctuation);
    ter::Words found;
    splitter.split(view(text), found);
    nb::list words;
    for (std::string_view word : found)
        words.append(nb::steal(PyUnicode_DecodeUTF8(word.data(),
                                                    static_cast<Py_ssize_t>(word.size()), nullptr)));
    return words;
}

}  // namespace

NB_MODULE(_text, module) {
    module.def("prepare", &prepare, nb::arg("outputs"), nb::arg("references"), nb::arg("normalise"),
               nb::arg("no_punctuation"), nb::arg("poll") = nb::none());
    module.def("intern", &intern, nb::arg("outputs"), nb::arg("references"));
    module.def("trans_pairs", &trans_pairs, nb::arg("outputs"), nb::arg("references"),
               nb::arg("normalise"), nb::arg("no_punctuation"), nb::arg("poll") = nb::none());
    module.def("trans_lines", &trans_lines, nb::arg("data"));
    module.def("ter_lines", &ter_lines, nb::arg("ids"), nb::arg("edits"), nb::arg("words"));
    module.def("split", &split, nb::arg("text"), nb::arg("normalise"), nb::arg("no_punctuation"));
}
