// What is particular to tercom's files: which characters end a line for it, and how Java writes
// doubles.
#pragma once

#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

namespace ter {

// Carriage return, U+0085, U+2028 or U+2029 in UTF-8.
inline bool has_line_end(std::string_view text) {
    if (std::memchr(text.data(), '\r', text.size())) return true;
    if (text.find("\xc2\x85") != std::string_view::npos) return true;
    const std::size_t at = text.find("\xe2\x80");
    if (at == std::string_view::npos) return false;
    return text.find("\xe2\x80\xa8", at) != std::string_view::npos ||
           text.find("\xe2\x80\xa9", at) != std::string_view::npos;
}

// As Java's Double.toString: 3.0, 9.5E-4, NaN. The digits are the fewest that name the double.
inline void append_java_double(std::string& out, double value) {
    if (std::isnan(value)) {
        out += "NaN";
        return;
    }
    if (std::signbit(value)) out += '-';
    value = std::fabs(value);
    if (std::isinf(value)) {
        out += "Infinity";
        return;
    }
    if (value == 0) {
        out += "0.0";
        return;
    }
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::scientific);
    // d.dddde[+-]xx
    const std::string_view text(digits, static_cast<std::size_t>(end.ptr - digits));
    const std::size_t mark = text.find('e');
    std::string figures(text.substr(0, 1));
    if (mark > 2) figures += text.substr(2, mark - 2);
    int exponent = 0;
    const bool negative = text[mark + 1] == '-';
    std::from_chars(text.data() + mark + 2, text.data() + text.size(), exponent);
    if (negative) exponent = -exponent;
    const int count = static_cast<int>(figures.size());
    if (exponent >= -3 && exponent < 7) {
        if (exponent < 0) {
            out += "0.";
            out.append(static_cast<std::size_t>(-exponent - 1), '0');
            out += figures;
        } else if (count <= exponent + 1) {
            out += figures;
            out.append(static_cast<std::size_t>(exponent + 1 - count), '0');
            out += ".0";
        } else {
            out.append(figures, 0, static_cast<std::size_t>(exponent) + 1);
            out += '.';
            out.append(figures, static_cast<std::size_t>(exponent) + 1);
        }
        return;
    }
    out += figures[0];
    out += '.';
    out += count > 1 ? figures.substr(1) : "0";
    out += 'E';
    out += std::to_string(exponent);
}

}  // namespace ter
