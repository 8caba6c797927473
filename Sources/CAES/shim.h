#pragma once

#include <stdbool.h>
#include <stdint.h>

// One block of AES-128 by the processor's own instructions, which Swift cannot name. Of columns and blocks the most significant octet is
// the first one, as in AES128.swift.

struct aes_block {
	uint64_t high, low;
};

#if defined(__x86_64__)

#include <cpuid.h>
#include <tmmintrin.h>
#include <wmmintrin.h>

static inline bool aes_is_available(void)
{
	unsigned int a, b, c, d;

	return __get_cpuid(1, &a, &b, &c, &d) && (c & bit_AES) && (c & bit_SSSE3);
}

/* Only where aes_is_available. */
__attribute__((target("aes,ssse3")))
static inline struct aes_block aes_encrypt(const uint32_t schedule[44], struct aes_block block)
{
	const __m128i *keys = (const __m128i *)schedule;
	const __m128i columns = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
	__m128i state = _mm_set_epi64x((long long)__builtin_bswap64(block.low), (long long)__builtin_bswap64(block.high));

	state = _mm_xor_si128(state, _mm_shuffle_epi8(_mm_loadu_si128(keys), columns));
	for (int round = 1; round < 10; round++)
		state = _mm_aesenc_si128(state, _mm_shuffle_epi8(_mm_loadu_si128(keys + round), columns));
	state = _mm_aesenclast_si128(state, _mm_shuffle_epi8(_mm_loadu_si128(keys + 10), columns));
	block.high = __builtin_bswap64((uint64_t)_mm_cvtsi128_si64(state));
	block.low = __builtin_bswap64((uint64_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(state, state)));
	return block;
}

#else

static inline bool aes_is_available(void)
{
	return false;
}

static inline struct aes_block aes_encrypt(const uint32_t schedule[44], struct aes_block block)
{
	(void)schedule;
	return block;
}

#endif
