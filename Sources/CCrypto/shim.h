#pragma once

// The plain block function: attlas needs a block at a time, and what has replaced it brings four megabytes of providers.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/aes.h>

// 16 octets each, the most significant first.
static inline void attlas_aes128_encrypt(const unsigned char *key, const unsigned char *block, unsigned char *output) {
    AES_KEY schedule;
    AES_set_encrypt_key(key, 128, &schedule);
    AES_encrypt(block, output, &schedule);
}

// The same in two steps, for a key that many blocks are encrypted with.
static inline void attlas_aes128_schedule(const unsigned char *key, AES_KEY *schedule) {
    AES_set_encrypt_key(key, 128, schedule);
}

static inline void attlas_aes128_encrypt_with(const AES_KEY *schedule, const unsigned char *block, unsigned char *output) {
    AES_encrypt(block, output, schedule);
}
