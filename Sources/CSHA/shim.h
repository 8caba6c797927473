#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Blocks of SHA-256 by the processor's own instructions, which Swift cannot name.

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

static inline bool sha256_is_available(void)
{
	unsigned int a, b, c, d;

	if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSSE3) || !(c & bit_SSE4_1))
		return false;
	return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

/*
 * Only where sha256_is_available. FIPS 180-4, section 6.2.2; a step of the loop does four of its 64 rounds.
 *
 * The instructions want a, b, e and f in one register, and c, d, g and h in another, the first of each in the highest place. Two
 * rounds make new a, b, e and f; the old ones are then c, d, g and h.
 */
__attribute__((target("sha,sse4.1,ssse3")))
static inline void sha256_add(uint32_t hash[8], const uint32_t constants[64], const uint8_t *octets, size_t blocks)
{
	const __m128i order = _mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3);
	__m128i abef = _mm_set_epi32((int)hash[0], (int)hash[1], (int)hash[4], (int)hash[5]);
	__m128i cdgh = _mm_set_epi32((int)hash[2], (int)hash[3], (int)hash[6], (int)hash[7]);

	for (; blocks > 0; blocks--, octets += 64) {
		const __m128i former_abef = abef, former_cdgh = cdgh;
		/* The last sixteen words of the message schedule. */
		__m128i words[4];

		for (int i = 0; i < 4; i++)
			words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)octets + i), order);
#pragma clang loop unroll(full)
		for (int i = 0; i < 16; i++) {
			const __m128i now = words[i & 3], last = words[(i + 3) & 3];
			const __m128i sums = _mm_add_epi32(now, _mm_loadu_si128((const __m128i *)constants + i));

			cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sums);
			abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_unpackhi_epi64(sums, sums));
			if (i < 12) {
				const __m128i seventh = _mm_alignr_epi8(last, words[(i + 2) & 3], 4);
				const __m128i early = _mm_sha256msg1_epu32(now, words[(i + 1) & 3]);

				words[i & 3] = _mm_sha256msg2_epu32(_mm_add_epi32(early, seventh), last);
			}
		}
		abef = _mm_add_epi32(abef, former_abef);
		cdgh = _mm_add_epi32(cdgh, former_cdgh);
	}
	hash[0] = (uint32_t)_mm_extract_epi32(abef, 3);
	hash[1] = (uint32_t)_mm_extract_epi32(abef, 2);
	hash[2] = (uint32_t)_mm_extract_epi32(cdgh, 3);
	hash[3] = (uint32_t)_mm_extract_epi32(cdgh, 2);
	hash[4] = (uint32_t)_mm_extract_epi32(abef, 1);
	hash[5] = (uint32_t)_mm_extract_epi32(abef, 0);
	hash[6] = (uint32_t)_mm_extract_epi32(cdgh, 1);
	hash[7] = (uint32_t)_mm_extract_epi32(cdgh, 0);
}

#else

static inline bool sha256_is_available(void)
{
	return false;
}

static inline void sha256_add(uint32_t hash[8], const uint32_t constants[64], const uint8_t *octets, size_t blocks)
{
	(void)hash;
	(void)constants;
	(void)octets;
	(void)blocks;
}

#endif
