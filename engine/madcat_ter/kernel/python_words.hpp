// Numbers for words that come from Python.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ter {

// The words of one text, as a list or a tuple that is looked into as it is; anything else becomes a
// list first.
class PythonWords {
   public:
    explicit PythonWords(nanobind::handle words) {
        if (PyUnicode_Check(words.ptr()))
            throw nanobind::type_error("words must come as a list, not as a single text");
        items_ = nanobind::steal(PySequence_Fast(words.ptr(), "words must come as a list"));
        if (!items_.is_valid()) throw nanobind::python_error();
    }

    // Call `take` with each word. Nothing of Python's runs between two of them that could change
    // the list.
    template <typename Take>
    void each(const Take& take) const {
        PyObject* items = items_.ptr();
        const Py_ssize_t count = PySequence_Size(items);
        if (PyList_Check(items)) {
            for (Py_ssize_t k = 0; k < count; ++k) take(NB_LIST_GET_ITEM(items, k));
        } else {
            for (Py_ssize_t k = 0; k < count; ++k) take(NB_TUPLE_GET_ITEM(items, k));
        }
    }

    std::size_t size() const { return static_cast<std::size_t>(PySequence_Size(items_.ptr())); }

   private:
    nanobind::object items_;
};

// Numbers for the words of one pair, as Interner gives them. Python keeps the hash of a word with
// the word, and equal words are often one object, so that hardly any letters are looked at.
class PythonInterner {
   public:
    void pair(const PythonWords& output, const PythonWords& reference,
              std::vector<std::int32_t>& output_ids, std::vector<std::int32_t>& reference_ids) {
        begin(reference.size());
        std::int32_t known = 0;
        reference.each([&](PyObject* word) {
            const Py_hash_t hash = hash_of(word);
            Slot& slot = find(word, hash);
            if (slot.generation != generation_) slot = {hash, word, generation_, known++};
            reference_ids.push_back(slot.id);
        });
        output.each([&](PyObject* word) {
            const Slot& slot = find(word, hash_of(word));
            output_ids.push_back(slot.generation == generation_ ? slot.id : known);
        });
    }

   private:
    struct Slot {
        Py_hash_t hash = 0;
        PyObject* word = nullptr;
        std::uint32_t generation = 0;
        std::int32_t id = 0;
    };

    void begin(std::size_t words) {
        std::size_t size = 64;
        while (size < 2 * words + 2) size *= 2;
        if (slots_.size() < size) {
            slots_.assign(size, Slot{});
            generation_ = 0;
        }
        mask_ = slots_.size() - 1;
        if (++generation_ == 0) {
            slots_.assign(slots_.size(), Slot{});
            generation_ = 1;
        }
    }

    // By the function of str itself, also for types derived from it, which could answer otherwise.
    Py_hash_t hash_of(PyObject* word) const {
        if (Py_TYPE(word) != &PyUnicode_Type && !PyUnicode_Check(word))
            throw nanobind::type_error("a text must be a str");
        return hash_(word);
    }

    Slot& find(PyObject* word, Py_hash_t hash) {
        for (std::size_t at = static_cast<std::size_t>(hash) & mask_;; at = (at + 1) & mask_) {
            Slot& slot = slots_[at];
            if (slot.generation != generation_ || slot.word == word ||
                (slot.hash == hash && PyUnicode_Compare(slot.word, word) == 0))
                return slot;
        }
    }

    const hashfunc hash_ =
        reinterpret_cast<hashfunc>(PyType_GetSlot(&PyUnicode_Type, Py_tp_hash));
    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::uint32_t generation_ = 0;
};

}  // namespace ter
