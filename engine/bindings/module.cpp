#include <nanobind/nanobind.h>

NB_MODULE(_engine, module) { module.doc() = "The search engine"; }
