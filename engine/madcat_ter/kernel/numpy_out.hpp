// Handing a vector over to numpy without copying it.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

template <typename T>
nanobind::ndarray<nanobind::numpy, T> give(std::vector<T>&& values,
                                           std::initializer_list<std::size_t> shape) {
    auto kept = std::make_unique<std::vector<T>>(std::move(values));
    T* data = kept->data();
    nanobind::capsule owner(kept.release(), [](void* p) noexcept {
        delete static_cast<std::vector<T>*>(p);
    });
    return nanobind::ndarray<nanobind::numpy, T>(data, shape, owner);
}
