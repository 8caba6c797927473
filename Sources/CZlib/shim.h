#pragma once

#include <zlib.h>

// zlib's own name for this is a macro that Swift does not see.
static inline int attlas_inflate_init(z_stream *stream, int window_bits) {
    return inflateInit2(stream, window_bits);
}
