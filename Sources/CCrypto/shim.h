#pragma once

// The plain block function: attlas needs a block at a time, and what has replaced it brings four megabytes of providers.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>

// In two steps, for a key that many blocks are encrypted with. 16 octets each, the most significant first.
static inline void attlas_aes128_schedule(const unsigned char *key, AES_KEY *schedule) {
    AES_set_encrypt_key(key, 128, schedule);
}

static inline void attlas_aes128_encrypt_with(const AES_KEY *schedule, const unsigned char *block, unsigned char *output) {
    AES_encrypt(block, output, schedule);
}
