// From a text to its words, by tercom's rules, over UTF-8. All characters that the rules name are
// ASCII, so bytes serve; a word is a piece of the text, for the rules only ever put blanks in.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace ter {

using Words = std::vector<std::string_view>;

// Without blanks and control characters at both ends.
inline std::string_view trimmed(std::string_view text) {
    while (!text.empty() && static_cast<unsigned char>(text.front()) <= ' ') text.remove_prefix(1);
    while (!text.empty() && static_cast<unsigned char>(text.back()) <= ' ') text.remove_suffix(1);
    return text;
}

class Splitter {
   public:
    // `-N` and `-P`; without either, words are what blanks divide.
    Splitter(bool normalise, bool no_punctuation)
        : normalise_(normalise), no_punctuation_(no_punctuation) {}

    // The words of one text. They point into `text` or into what this object keeps until the next
    // call of forget().
    void split(std::string_view text, Words& words) {
        text = trimmed(text);
        words.clear();
        if (text.empty()) return;
        if (normalise_) {
            text = replace_entities(text);
            split_symbols(text, words);
            if (words.empty()) words.emplace_back();
        } else {
            split_blanks(text, words);
        }
        if (no_punctuation_) drop_punctuation(words);
    }

    void forget() { kept_.clear(); }

   private:
    enum Kind : std::uint8_t { kOther, kBlank, kSymbol, kCareful };

    static constexpr std::array<Kind, 256> kKinds = [] {
        std::array<Kind, 256> kinds{};
        for (unsigned char c : {' ', '\t', '\n', '\v', '\f', '\r'}) kinds[c] = kBlank;
        const auto symbols = [&](int first, int last) {
            for (int c = first; c <= last; ++c) kinds[c] = kSymbol;
        };
        symbols('{', '~');
        symbols('[', '`');
        symbols('!', '&');
        symbols('(', '+');
        symbols(':', '@');
        symbols('/', '/');
        for (unsigned char c : {'\'', ',', '-', '.'}) kinds[c] = kCareful;
        return kinds;
    }();

    static Kind kind(char c) { return kKinds[static_cast<unsigned char>(c)]; }
    static bool digit(char c) { return c >= '0' && c <= '9'; }
    static bool point(char c) { return c == '.' || c == ','; }

    static void split_blanks(std::string_view text, Words& words) {
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t start = at;
            while (at < text.size() && kind(text[at]) != kBlank) ++at;
            words.push_back(text.substr(start, at - start));
            while (at < text.size() && kind(text[at]) == kBlank) ++at;
        }
    }

    static void replace(std::string& text, std::string_view from, std::string_view to) {
        for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
            text.replace(at, from.size(), to);
    }

    // The steps that change more than blanks. Most texts need none of them.
    std::string_view replace_entities(std::string_view text) {
        if (!std::memchr(text.data(), '<', text.size()) && !std::memchr(text.data(), '&', text.size()) &&
            !std::memchr(text.data(), '\n', text.size()))
            return text;
        std::string& changed = kept_.emplace_back(text);
        replace(changed, "<skipped>", "");
        replace(changed, "-\n", "");
        replace(changed, "\n", " ");
        replace(changed, "&quot;", "\"");
        replace(changed, "&amp;", "&");
        replace(changed, "&lt;", "<");
        replace(changed, "&gt;", ">");
        return changed;
    }

    // Symbols are words of their own; what lies between blanks and symbols may be divided further.
    void split_symbols(std::string_view text, Words& words) {
        const std::size_t size = text.size();
        std::size_t at = 0;
        while (at < size) {
            const Kind first = kind(text[at]);
            if (first == kBlank) {
                ++at;
                continue;
            }
            if (first == kSymbol) {
                words.push_back(text.substr(at++, 1));
                continue;
            }
            const std::size_t start = at;
            bool careful = false;
            Kind here = first;
            do {
                careful |= here == kCareful;
                if (++at == size) break;
                here = kind(text[at]);
            } while (here != kBlank && here != kSymbol);
            const std::string_view piece = text.substr(start, at - start);
            if (careful)
                split_possessive(piece, at == size || here == kSymbol || text[at] == ' ', words);
            else
                words.push_back(piece);
        }
    }

    // `'s` at the end of a piece is a word of its own where the original sees a space after it: one
    // of the text, or one that it has put around a symbol or the whole text. A tab is none.
    void split_possessive(std::string_view piece, bool before_space, Words& words) {
        const std::size_t size = piece.size();
        if (before_space && size > 2 && piece.substr(size - 2) == "'s") {
            split_points(piece.substr(0, size - 2), words);
            words.push_back(piece.substr(size - 2));
        } else {
            split_points(piece, words);
        }
    }

    // The rules for points, commas and hyphens, one pass each over the piece between two blanks, as
    // the original takes them: what one match has eaten cannot begin the next.
    void split_points(std::string_view piece, Words& words) {
        one_.assign(1, ' ');
        one_ += piece;
        one_ += ' ';
        two_.clear();
        for (std::size_t k = 0; k < one_.size(); ++k) {
            two_ += one_[k];
            if (!digit(one_[k]) && k + 1 < one_.size() && point(one_[k + 1])) {
                two_ += ' ';
                two_ += one_[++k];
                two_ += ' ';
            }
        }
        one_.clear();
        for (std::size_t k = 0; k < two_.size(); ++k) {
            if (point(two_[k]) && k + 1 < two_.size() && !digit(two_[k + 1])) {
                one_ += ' ';
                one_ += two_[k];
                one_ += ' ';
                one_ += two_[++k];
            } else {
                one_ += two_[k];
            }
        }
        two_.clear();
        for (std::size_t k = 0; k < one_.size(); ++k) {
            two_ += one_[k];
            if (digit(one_[k]) && k + 1 < one_.size() && one_[k + 1] == '-') {
                two_ += ' ';
                two_ += one_[++k];
                two_ += ' ';
            }
        }
        // Blanks have come in and nothing else: the words are the piece's own bytes, in order.
        std::size_t used = 0, length = 0;
        for (char c : two_) {
            if (c != ' ') {
                ++length;
            } else if (length) {
                words.push_back(piece.substr(used, length));
                used += length;
                length = 0;
            }
        }
    }

    // `-P`, and what it leaves when words vanish: an empty word at the beginning counts, those at
    // the end do not, and a text that was one vanished word is one empty word.
    void drop_punctuation(Words& words) {
        const auto dropped = [](char c) { return std::strchr(".,?:;!\"()", c) != nullptr && c; };
        const std::size_t before = words.size();
        bool first_gone = false;
        std::size_t left = 0;
        for (std::size_t k = 0; k < before; ++k) {
            std::string_view word = words[k];
            bool any = false;
            for (char c : word) any |= dropped(c);
            if (any) {
                std::string& rest = kept_.emplace_back();
                for (char c : word)
                    if (!dropped(c)) rest += c;
                word = rest;
            }
            if (word.empty()) {
                first_gone |= k == 0;
                continue;
            }
            words[left++] = word;
        }
        words.resize(left);
        if (left == 0) {
            if (before == 1) words.emplace_back();
        } else if (first_gone) {
            words.insert(words.begin(), std::string_view());
        }
    }

    bool normalise_, no_punctuation_;
    std::deque<std::string> kept_;
    std::string one_, two_;
};

// Numbers for the words of one pair: the reference's 0, 1, … in order of appearance; a word that
// only the output has gets the next number, whichever it is, for only matches count.
class Interner {
   public:
    void pair(const Words& output, const Words& reference, std::vector<std::int32_t>& output_ids,
              std::vector<std::int32_t>& reference_ids) {
        std::size_t size = 16;
        while (size < 2 * reference.size() + 2) size *= 2;
        if (slots_.size() < size) {
            slots_.assign(size, Slot{});
            generation_ = 0;
        }
        const std::size_t mask = slots_.size() - 1;
        if (++generation_ == 0) {
            slots_.assign(slots_.size(), Slot{});
            generation_ = 1;
        }
        std::int32_t known = 0;
        for (std::string_view word : reference) {
            const Key key(word);
            Slot& slot = find(word, key, mask);
            if (slot.generation != generation_) slot = {key, word, generation_, known++};
            reference_ids.push_back(slot.id);
        }
        for (std::string_view word : output) {
            const Slot& slot = find(word, Key(word), mask);
            output_ids.push_back(slot.generation == generation_ ? slot.id : known);
        }
    }

   private:
    // A word of less than 8 bytes is its own key: its bytes and its length. A longer one has a hash,
    // and its length only says that it is a longer one.
    struct Key {
        Key() = default;
        explicit Key(std::string_view word) : length(static_cast<std::uint32_t>(word.size())) {
            const char* p = word.data();
            std::size_t left = word.size();
            std::uint64_t h = 0;
            for (; left >= 8; left -= 8, p += 8) {
                std::uint64_t part;
                std::memcpy(&part, p, 8);
                h = (h ^ part) * 0xff51afd7ed558ccd;
                h ^= h >> 32;
            }
            std::uint64_t part = 0;
            if (left >= 4) {  // two overlapping halves: a copy of unknown length would be a call
                std::uint32_t first, last;
                std::memcpy(&first, p, 4);
                std::memcpy(&last, p + left - 4, 4);
                part = first | static_cast<std::uint64_t>(last) << 32;
            } else if (left) {
                const auto byte = [p](std::size_t at) { return static_cast<unsigned char>(p[at]); };
                part = byte(0) | byte(left / 2) << 8 | byte(left - 1) << 16;
            }
            value = h ^ part;
        }

        std::size_t place() const {
            const std::uint64_t h = (value + length) * 0x9e3779b97f4a7c15;
            return static_cast<std::size_t>(h >> 40);
        }

        std::uint64_t value = 0;
        std::uint32_t length = 0;
    };

    struct Slot {
        Key key;
        std::string_view word;
        std::uint32_t generation = 0;
        std::int32_t id = 0;
    };

    Slot& find(std::string_view word, const Key& key, std::size_t mask) {
        for (std::size_t at = key.place() & mask;; at = (at + 1) & mask) {
            Slot& slot = slots_[at];
            if (slot.generation != generation_ ||
                (slot.key.value == key.value && slot.key.length == key.length &&
                 (key.length < 8 || slot.word == word)))
                return slot;
        }
    }

    std::vector<Slot> slots_;
    std::uint32_t generation_ = 0;
};

}  // namespace ter
