#pragma once

#include <stdint.h>

// Heap allocations of the calling thread so far; -1 in a build whose allocator is a sanitizer's.
int64_t attlas_allocations(void);
