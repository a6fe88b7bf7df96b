// What Python sees of the text work: texts or words go in, word ids come out as flat arrays, pair by
// pair. The interpreter's lock is released as soon as the texts are known.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "numpy_out.hpp"
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

nb::tuple prepare(nb::list outputs, nb::list references, bool normalise, bool no_punctuation) {
    const auto output_texts = views(outputs), reference_texts = views(references);
    check_equal(output_texts.size(), reference_texts.size());
    Flat flat;
    {
        nb::gil_scoped_release unlocked;
        ter::Splitter splitter(normalise, no_punctuation);
        ter::Interner interner;
        ter::Words output, reference;
        for (std::size_t k = 0; k < output_texts.size(); ++k) {
            splitter.split(output_texts[k], output);
            splitter.split(reference_texts[k], reference);
            interner.pair(output, reference, flat.output_ids, flat.reference_ids);
            flat.end();
            splitter.forget();
        }
    }
    return flat.give_all();
}

void read_words(nb::handle words, ter::Words& found) {
    found.clear();
    if (PyUnicode_Check(words.ptr()))
        throw nb::type_error("words must come as a list, not as a single text");
    for (nb::handle word : words) found.push_back(view(word));
}

nb::tuple intern(nb::list outputs, nb::list references) {
    check_equal(nb::len(outputs), nb::len(references));
    Flat flat;
    ter::Interner interner;
    ter::Words output, reference;
    for (std::size_t k = 0; k < nb::len(outputs); ++k) {
        read_words(outputs[k], output);
        read_words(references[k], reference);
        interner.pair(output, reference, flat.output_ids, flat.reference_ids);
        flat.end();
    }
    return flat.give_all();
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
               nb::arg("no_punctuation"));
    module.def("intern", &intern, nb::arg("outputs"), nb::arg("references"));
    module.def("split", &split, nb::arg("text"), nb::arg("normalise"), nb::arg("no_punctuation"));
}
