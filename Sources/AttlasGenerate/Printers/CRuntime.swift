/// What generated C headers begin with.
enum CRuntime {
    static func text(prefix: String, upper: String) -> String {
        template.replacing("PREFIX", with: prefix).replacing("UPPER", with: upper)
    }

    private static let template = #"""
        #include <stdbool.h>
        #include <stddef.h>
        #include <stdint.h>
        #include <string.h>

        /* Why octets cannot be read, or a value cannot be written. */
        typedef enum {
            UPPER_OK,
            UPPER_TRUNCATED,    /* the octets end within a field */
            UPPER_SIZE,         /* a size is negative, or is not the number of octets or elements */
            UPPER_UUID,         /* a UUID has 2, 4 or 16 octets */
            UPPER_CHECKSUM,     /* a checksum is wrong */
            UPPER_MISSING,      /* other members demand a member that is not set */
            UPPER_UNEXPECTED,   /* other members exclude a member that is set */
            UPPER_RANGE,        /* a number does not fit its field */
            UPPER_INCONSISTENT, /* the octets would mean another value */
            UPPER_CAPACITY,     /* more elements than the array has: define its ..._MAX */
            UPPER_BUFFER        /* the buffer is too small */
        } PREFIX_status;

        /* Octets of somebody else. */
        typedef struct {
            const uint8_t *octets;
            size_t count;
        } PREFIX_octets;

        typedef struct {
            const uint8_t *octets;
            size_t offset, end;
        } PREFIX_input;

        typedef struct {
            uint8_t *octets;
            size_t offset, capacity;
        } PREFIX_output;

        static inline int64_t PREFIX_piece(int64_t number, unsigned shift, unsigned bits, bool is_signed) {
            uint64_t piece = (uint64_t)number >> shift;
            if (bits < 64) piece &= (UINT64_C(1) << bits) - 1;
            if (is_signed && bits < 64 && (piece >> (bits - 1) & 1) != 0) piece |= UINT64_MAX << bits;
            return (int64_t)piece;
        }

        static inline bool PREFIX_read(PREFIX_input *in, size_t count, bool is_signed, bool is_big, int64_t *number) {
            uint64_t raw = 0;
            if (in->end - in->offset < count) return false;
            for (size_t i = 0; i < count; i++) raw = raw << 8 | in->octets[in->offset + (is_big ? i : count - 1 - i)];
            in->offset += count;
            *number = PREFIX_piece((int64_t)raw, 0, (unsigned)count * 8, is_signed);
            return true;
        }

        static inline bool PREFIX_read_varint(PREFIX_input *in, int64_t *number) {
            uint64_t raw = 0;
            for (unsigned i = 0; i < 10 && in->offset < in->end; i++) {
                uint8_t octet = in->octets[in->offset++];
                raw |= (uint64_t)(octet & 0x7F) << (7 * i);
                if (octet < 0x80) {
                    *number = (int64_t)raw;
                    return true;
                }
            }
            return false;
        }

        static inline bool PREFIX_take(PREFIX_input *in, int64_t count, PREFIX_octets *octets) {
            if ((uint64_t)count > (uint64_t)(in->end - in->offset)) return false;
            octets->count = (size_t)count;
            octets->octets = count == 0 ? NULL : in->octets + in->offset;
            in->offset += (size_t)count;
            return true;
        }

        static inline bool PREFIX_take_terminated(PREFIX_input *in, PREFIX_octets *octets) {
            for (size_t i = in->offset; i < in->end; i++) {
                if (in->octets[i] != 0) continue;
                (void)PREFIX_take(in, (int64_t)(i - in->offset), octets);
                in->offset++;
                return true;
            }
            return false;
        }

        static inline int64_t PREFIX_next(const PREFIX_input *in, size_t distance) {
            return distance < in->end - in->offset ? in->octets[in->offset + distance] : 0;
        }

        static inline bool PREFIX_is_uuid(size_t count) { return count == 2 || count == 4 || count == 16; }

        static inline bool PREFIX_has_zero(PREFIX_octets octets) {
            return octets.count > 0 && memchr(octets.octets, 0, octets.count) != NULL;
        }

        static inline bool PREFIX_octets_equal(PREFIX_octets a, PREFIX_octets b) {
            return a.count == b.count && (a.count == 0 || memcmp(a.octets, b.octets, a.count) == 0);
        }

        static inline void PREFIX_set(PREFIX_output *out, int64_t place, int64_t number, size_t count, bool is_big) {
            for (size_t i = 0; i < count; i++)
                out->octets[(size_t)place + (is_big ? count - 1 - i : i)] = (uint8_t)((uint64_t)number >> (8 * i));
        }

        static inline bool PREFIX_write(PREFIX_output *out, int64_t number, size_t count, bool is_big) {
            if (out->capacity - out->offset < count) return false;
            PREFIX_set(out, (int64_t)out->offset, number, count, is_big);
            out->offset += count;
            return true;
        }

        static inline bool PREFIX_write_varint(PREFIX_output *out, int64_t number) {
            uint64_t rest = (uint64_t)number;
            for (; rest >= 0x80; rest >>= 7)
                if (!PREFIX_write(out, (int64_t)(rest & 0x7F) | 0x80, 1, false)) return false;
            return PREFIX_write(out, (int64_t)rest, 1, false);
        }

        static inline bool PREFIX_put(PREFIX_output *out, PREFIX_octets octets) {
            if (out->capacity - out->offset < octets.count) return false;
            if (octets.count > 0) memcpy(out->octets + out->offset, octets.octets, octets.count);
            out->offset += octets.count;
            return true;
        }

        static inline bool PREFIX_patch(PREFIX_output *out, int64_t place, int64_t number, size_t count, bool is_big) {
            if (number < 0 || (count < 8 && (uint64_t)number >> (8 * count) != 0)) return false;
            PREFIX_set(out, place, number, count, is_big);
            return true;
        }

        static inline uint32_t PREFIX_reversed(uint32_t number) {
            uint32_t result = 0;
            for (unsigned bit = 0; bit < 32; bit++)
                if ((number >> bit & 1) != 0) result |= UINT32_C(1) << (31 - bit);
            return result;
        }

        /* The width 0 stands for a sum, 1 for an exclusive or, and others for a CRC. */
        static inline uint64_t PREFIX_checksum(
            const uint8_t *octets, int64_t start, int64_t end, int64_t gap, int64_t gap_count, unsigned width,
            uint32_t polynomial, uint32_t initial, bool is_reflected, uint32_t final, int64_t first, bool ends_before) {
            bool is_crc = width > 1;
            unsigned unused = is_crc ? 32 - width : 0;
            uint32_t divisor = is_reflected ? PREFIX_reversed(polynomial) >> unused : polynomial << unused;
            uint32_t state = is_reflected ? PREFIX_reversed(initial) >> unused : initial << unused;
            if (ends_before) end = gap;
            for (int64_t i = start + first; i < end; i++) {
                if (i >= gap && i < gap + gap_count) continue;
                uint32_t octet = octets[i];
                if (!is_crc) {
                    state = width == 0 ? (state + octet) & 0xFF : state ^ octet;
                    continue;
                }
                state ^= is_reflected ? octet : octet << 24;
                for (unsigned bit = 0; bit < 8; bit++) {
                    if (is_reflected)
                        state = (state & 1) == 0 ? state >> 1 : state >> 1 ^ divisor;
                    else
                        state = state >> 31 == 0 ? state << 1 : state << 1 ^ divisor;
                }
            }
            return is_crc ? (is_reflected ? state : state >> unused) ^ final : state;
        }

        /* The nearest integer, if it is in a range. */
        static inline bool PREFIX_round(double number, int64_t least, int64_t greatest, int64_t *raw) {
            if (!(number > -9.2e18 && number < 9.2e18)) return false;
            *raw = (int64_t)number;
            double rest = number - (double)*raw;
            if (rest >= 0.5) ++*raw;
            if (rest <= -0.5) --*raw;
            return *raw >= least && *raw <= greatest;
        }

        static inline double PREFIX_pow10(int64_t exponent) {
            double power = 1;
            for (; exponent > 0; exponent--) power *= 10;
            return power;
        }

        static inline double PREFIX_decimal(int64_t mantissa, int64_t exponent) {
            return exponent < 0 ? (double)mantissa / PREFIX_pow10(-exponent) : (double)mantissa * PREFIX_pow10(exponent);
        }

        /* IEEE 11073-20601: a mantissa and an exponent of ten. NaN is not equal to itself. */
        static inline double PREFIX_medfloat(uint32_t raw, unsigned bits) {
            int64_t mantissa = PREFIX_piece((int64_t)raw, 0, bits, true);
            int64_t exponent = PREFIX_piece((int64_t)raw, bits, bits == 12 ? 4 : 8, true);
            int64_t greatest = (INT64_C(1) << (bits - 1)) - 1;
            double zero = 0;
            if (exponent == 0 && mantissa == greatest - 1) return 1 / zero;
            if (exponent == 0 && mantissa == 1 - greatest) return -1 / zero;
            if (exponent == 0 && (mantissa == greatest || mantissa <= -greatest)) return zero / zero;
            return PREFIX_decimal(mantissa, exponent);
        }

        static inline bool PREFIX_medfloat_raw(double number, unsigned bits, uint32_t *raw) {
            int64_t greatest = (INT64_C(1) << (bits - 1)) - 1;
            uint64_t mask = (UINT64_C(1) << bits) - 1;
            int64_t mantissa = 0, found = 0, nearest, exponent = 0;
            bool is_found = false;
            if (!(number == number)) return *raw = (uint32_t)greatest, true;
            if (number > 1.7976931348623157e308) return *raw = (uint32_t)(greatest - 1), true;
            if (number < -1.7976931348623157e308) return *raw = (uint32_t)((uint64_t)(1 - greatest) & mask), true;
            /* The exponent nearest to 0 with which the number is exact, or else the smallest possible one. */
            while (exponent >= (bits == 12 ? -8 : -20) && exponent <= (bits == 12 ? 7 : 20)) {
                double scaled = exponent > 0 ? number / PREFIX_pow10(exponent) : number * PREFIX_pow10(-exponent);
                if (PREFIX_round(scaled, 2 - greatest, greatest - 2, &nearest)) {
                    mantissa = nearest;
                    found = exponent;
                    is_found = true;
                    double back = PREFIX_decimal(nearest, exponent);
                    if (exponent > 0 || !(back < number || back > number)) break;
                    exponent--;
                } else if (is_found && found <= 0) {
                    break;
                } else {
                    exponent++;
                }
            }
            if (!is_found) return false;
            *raw = (uint32_t)(((uint64_t)found & (bits == 12 ? 0xF : 0xFF)) << bits | ((uint64_t)mantissa & mask));
            return true;
        }
        """#
}
