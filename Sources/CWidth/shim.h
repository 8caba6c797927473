#pragma once

#include <locale.h>
#include <wchar.h>

// X/Open; Swift's module of the C library leaves it out.
extern int wcwidth(wchar_t character);
