#pragma once

#include <lzma.h>

// The flag is a macro that Swift does not see.
static inline lzma_ret attlas_xz_init(lzma_stream *stream, uint64_t memory_limit) {
    return lzma_stream_decoder(stream, memory_limit, LZMA_CONCATENATED);
}
