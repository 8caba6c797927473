#pragma once

#include <sys/prctl.h>

// Swift calls no function with a variable number of arguments.
static inline int attlas_forbid_dumps(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
