#pragma once

#include <gnu/libc-version.h>

// Of which source the binary was made and with what, a line for each; empty where nobody wrote it down.
const char *attlas_build_facts(void);
