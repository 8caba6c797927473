/// What generated C headers begin with.
enum CRuntime {
    static func text(prefix: String, upper: String) -> String {
        template.replacing("PREFIX", with: prefix).replacing("UPPER", with: upper)
    }

    /// What headers with messages in parts have, too.
    static func joining(prefix: String, upper: String) -> String {
        joiningTemplate.replacing("PREFIX", with: prefix).replacing("UPPER", with: upper)
    }

    private static let joiningTemplate = #"""

        /* Joins the parts of messages in a buffer of the caller; all other members are 0 at the start. */
        typedef struct {
            uint8_t *octets;
            size_t capacity, count, parts;
            bool is_whole, has_number;
            uint64_t number;
        } PREFIX_joiner;

        typedef struct {
            size_t octets;
            uint64_t mask, complete, first, middle, last, sequence;
            bool is_kept;
        } PREFIX_header;

        typedef struct {
            const uint8_t *start;
            size_t start_count;
            const uint8_t *end;
            size_t end_count;
            int stuffing; /* 1: SLIP, 2: COBS */
            const uint8_t *escape; /* an octet, and what the next one is inverted with */
            size_t escape_count;
            const uint8_t *key;
            size_t key_count, key_start;
            PREFIX_header header; /* without octets: none */
        } PREFIX_format;

        static inline uint8_t PREFIX_ciphered(const PREFIX_format *format, const uint8_t *message, size_t i) {
            if (format->key_count == 0 || i < format->key_start) return message[i];
            return message[i] ^ format->key[(i - format->key_start) % format->key_count];
        }

        static inline void PREFIX_unstuff(PREFIX_joiner *joiner, int stuffing) {
            uint8_t *octets = joiner->octets;
            size_t written = 0, end = joiner->count;
            for (size_t i = 0; i < end;) {
                uint8_t octet = octets[i++];
                if (stuffing == 1) {
                    if (octet == 0xC0) continue;
                    if (octet != 0xDB) {
                        octets[written++] = octet;
                    } else if (octets[i] != 0xC0) {
                        uint8_t next = octets[i++];
                        octets[written++] = next == 0xDC ? 0xC0 : next == 0xDD ? 0xDB : next;
                    }
                } else if (octet > 0) {
                    for (size_t left = octet - 1u; left > 0 && octets[i] != 0; left--) octets[written++] = octets[i++];
                    if (octet < 0xFF && octets[i] != 0) octets[written++] = 0;
                }
            }
            joiner->count = written;
        }

        static inline void PREFIX_unescape(PREFIX_joiner *joiner, const uint8_t *escape) {
            size_t written = 0;
            bool is_escaped = false;
            for (size_t i = 0; i < joiner->count; i++) {
                if (!is_escaped && joiner->octets[i] == escape[0]) {
                    is_escaped = true;
                } else {
                    joiner->octets[written++] = joiner->octets[i] ^ (is_escaped ? escape[1] : 0);
                    is_escaped = false;
                }
            }
            joiner->count = written;
        }

        static inline bool PREFIX_is_mark(const PREFIX_format *format, uint8_t octet) {
            for (size_t i = 0; i < format->start_count; i++) if (octet == format->start[i]) return true;
            for (size_t i = 0; i < format->end_count; i++) if (octet == format->end[i]) return true;
            return octet == format->escape[0];
        }

        static inline bool PREFIX_join(
            PREFIX_joiner *joiner, const PREFIX_format *format, bool (*need)(PREFIX_input, int64_t *), const uint8_t *part,
            size_t count) {
            PREFIX_joiner empty = {joiner->octets, joiner->capacity, 0, 0, false, false, 0};
            const PREFIX_header *header = &format->header;
            PREFIX_input body = {part, 0, count}, message;
            int64_t whole;
            bool is_last = false, is_empty = format->stuffing != 0;
            if (joiner->is_whole) *joiner = empty;
            if (format->start_count > 0) {
                message = (PREFIX_input){joiner->octets, 0, joiner->count};
                bool is_too_long = need(message, &whole) && whole < (int64_t)(joiner->count + count);
                /* One octet may be anything. */
                if (joiner->parts > 0 && PREFIX_is_at(&body, format->start, format->start_count)
                    && (format->start_count > 1 || format->escape_count > 0 || is_too_long))
                    *joiner = empty;
                if (joiner->parts == 0) {
                    while (body.offset < count && !PREFIX_is_at(&body, format->start, format->start_count)) body.offset++;
                    if (body.offset == count) return false;
                }
            }
            if (header->octets > 0) {
                if (count < header->octets) return false;
                uint64_t number = 0, step = header->sequence & (0 - header->sequence);
                for (size_t i = header->octets; i > 0; i--) number = number << 8 | part[i - 1];
                uint64_t state = number & header->mask;
                bool has_first = header->first != header->middle;
                bool is_first = has_first && (state == header->first || state == header->complete);
                bool is_next = ((joiner->number + step) & header->sequence) == (number & header->sequence);
                is_last = state == header->last || state == header->complete;
                if (is_first || (joiner->has_number && !is_next)) *joiner = empty;
                if (joiner->parts == 0 && has_first && !is_first) return false;
                if (!header->is_kept || joiner->parts > 0) body.offset = header->octets;
                joiner->number = number & header->sequence;
                joiner->has_number = true;
            }
            size_t added = count - body.offset;
            if (joiner->count + added > joiner->capacity || joiner->count + added > 65536 || joiner->parts >= 4096) {
                *joiner = empty;
                return false;
            }
            if (added > 0) memcpy(joiner->octets + joiner->count, part + body.offset, added);
            joiner->count += added;
            joiner->parts++;
            message = (PREFIX_input){joiner->octets, 0, joiner->count};
            for (size_t i = 0; i < joiner->count; i++)
                if (format->stuffing != 0 && joiner->octets[i] != format->end[0]) is_empty = false;
            PREFIX_input end = {joiner->octets, joiner->count - format->end_count, joiner->count};
            bool is_ended = format->end_count > 0 && joiner->count >= format->end_count
                && PREFIX_is_at(&end, format->end, format->end_count);
            bool is_whole = need(message, &whole) && whole <= (int64_t)joiner->count;
            if (!is_last && !(is_ended && !is_empty) && !is_whole) return false;
            joiner->is_whole = true;
            if (format->stuffing != 0) PREFIX_unstuff(joiner, format->stuffing);
            if (format->escape_count > 0) PREFIX_unescape(joiner, format->escape);
            for (size_t i = 0; i < joiner->count; i++) joiner->octets[i] = PREFIX_ciphered(format, joiner->octets, i);
            return true;
        }

        static inline bool PREFIX_stuff(const PREFIX_format *format, const uint8_t *message, size_t count, PREFIX_output *out) {
            size_t place = out->offset;
            if (format->stuffing == 2 && !PREFIX_write(out, 1, 1, false)) return false;
            for (size_t i = 0; i < count; i++) {
                uint8_t octet = PREFIX_ciphered(format, message, i);
                bool is_escaped = format->stuffing == 1 && (octet == 0xC0 || octet == 0xDB);
                if (format->escape_count > 0 && i >= format->start_count && i + format->end_count < count
                    && PREFIX_is_mark(format, octet)) {
                    if (!PREFIX_write(out, format->escape[0], 1, false)) return false;
                    octet ^= format->escape[1];
                }
                if (format->stuffing != 2) {
                    if (is_escaped && !PREFIX_write(out, 0xDB, 1, false)) return false;
                    if (is_escaped) octet = octet == 0xC0 ? 0xDC : 0xDD;
                    if (!PREFIX_write(out, octet, 1, false)) return false;
                    continue;
                }
                if (octet != 0) {
                    if (!PREFIX_write(out, octet, 1, false)) return false;
                    out->octets[place]++;
                }
                if (octet == 0 || out->octets[place] == 0xFF) {
                    place = out->offset;
                    if (!PREFIX_write(out, 1, 1, false)) return false;
                }
            }
            return format->stuffing == 0 || PREFIX_write(out, format->stuffing == 1 ? 0xC0 : 0, 1, false);
        }

        static inline PREFIX_status PREFIX_split(
            const PREFIX_format *format, const uint8_t *message, size_t count, size_t size, uint8_t *parts, size_t capacity,
            size_t *written) {
            PREFIX_output out = {parts, 0, capacity};
            const PREFIX_header *header = &format->header;
            uint64_t step = header->sequence & (0 - header->sequence);
            if (size <= header->octets) return UPPER_SIZE;
            if (header->octets == 0 && !PREFIX_stuff(format, message, count, &out)) return UPPER_BUFFER;
            for (size_t i = 0, index = 0; header->octets > 0 && (i < count || index == 0); index++) {
                bool is_last = count - i <= size - header->octets;
                uint64_t state = index > 0 ? (is_last ? header->last : header->middle)
                    : is_last ? header->complete : header->first;
                size_t left = size;
                if (index > 0 || !header->is_kept) {
                    uint64_t number = state | ((index * step) & header->sequence);
                    left -= header->octets;
                    if (!PREFIX_write(&out, (int64_t)number, header->octets, false)) return UPPER_BUFFER;
                }
                for (; left > 0 && i < count; left--, i++)
                    if (!PREFIX_write(&out, PREFIX_ciphered(format, message, i), 1, false)) return UPPER_BUFFER;
            }
            *written = out.offset;
            return UPPER_OK;
        }
        """#

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
            UPPER_CONSTANT,     /* octets are not those that a field always has */
            UPPER_DIGITS,       /* octets or characters are not a number */
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

        static inline bool PREFIX_is_at(const PREFIX_input *in, const uint8_t *mark, size_t count) {
            return in->end - in->offset >= count && memcmp(in->octets + in->offset, mark, count) == 0;
        }

        /* The octets before a mark, which is read, too. */
        static inline bool PREFIX_take_until(
            PREFIX_input *in, const uint8_t *mark, size_t count, bool or_end, PREFIX_octets *octets) {
            PREFIX_input at = *in;
            while (at.offset < at.end && !PREFIX_is_at(&at, mark, count)) at.offset++;
            if (at.offset == at.end && !or_end) return false;
            (void)PREFIX_take(in, (int64_t)(at.offset - in->offset), octets);
            if (at.offset < at.end) in->offset += count;
            return true;
        }

        static inline int64_t PREFIX_next(const PREFIX_input *in, size_t distance) {
            return distance < in->end - in->offset ? in->octets[in->offset + distance] : 0;
        }

        static inline bool PREFIX_is_uuid(size_t count) { return count == 2 || count == 4 || count == 16; }

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

        /* Whether a mark is not before the end of what was written. */
        static inline bool PREFIX_ends_first(const PREFIX_output *out, size_t start, const uint8_t *mark, size_t count) {
            PREFIX_input in = {out->octets, start, out->offset};
            PREFIX_octets octets;
            return PREFIX_take_until(&in, mark, count, false, &octets) && in.offset == in.end;
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

        /* A number with the sign in its lowest bit. */
        static inline int64_t PREFIX_from_zigzag(int64_t number) {
            return (int64_t)((uint64_t)number >> 1 ^ (0 - ((uint64_t)number & 1)));
        }

        static inline int64_t PREFIX_zigzag(int64_t number) {
            return (int64_t)((uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0));
        }

        /* A number whose highest bit is its sign. */
        static inline int64_t PREFIX_from_magnitude(int64_t number, unsigned bits) {
            int64_t magnitude = PREFIX_piece(number, 0, bits - 1, false);
            return PREFIX_piece(number, bits - 1, 1, false) == 0 ? magnitude : -magnitude;
        }

        static inline bool PREFIX_is_magnitude(int64_t number, unsigned bits) {
            int64_t greatest = (int64_t)(UINT64_MAX >> (65 - bits));
            return number >= -greatest && number <= greatest;
        }

        static inline int64_t PREFIX_magnitude(int64_t number, unsigned bits) {
            return number < 0 ? (int64_t)((uint64_t)-number | UINT64_C(1) << (bits - 1)) : number;
        }

        /* A number with a decimal digit in four bits each. */
        static inline bool PREFIX_from_decimal(int64_t number, int64_t *decimal) {
            *decimal = 0;
            for (unsigned shift = 64; shift > 0;) {
                shift -= 4;
                unsigned digit = (unsigned)((uint64_t)number >> shift & 0xF);
                if (digit > 9) return false;
                *decimal = *decimal * 10 + digit;
            }
            return true;
        }

        static inline int64_t PREFIX_decimal_digits(int64_t number) {
            uint64_t digits = 0;
            for (unsigned shift = 0; shift < 64; shift += 4) {
                digits |= (uint64_t)(number % 10) << shift;
                number /= 10;
            }
            return (int64_t)digits;
        }

        /* Up to eight characters of a number, the last one in the lowest octet. */
        static inline int64_t PREFIX_hexadecimal(uint64_t number, size_t count) {
            uint64_t text = 0;
            for (size_t i = 0; i < count; i++) text |= (uint64_t)"0123456789ABCDEF"[number >> (4 * i) & 0xF] << (8 * i);
            return (int64_t)text;
        }

        /* Without spaces and zeros around it. */
        static inline PREFIX_octets PREFIX_trimmed(PREFIX_octets text) {
            while (text.count > 0 && (text.octets[text.count - 1] == ' ' || text.octets[text.count - 1] == 0)) text.count--;
            for (; text.count > 0 && text.octets[0] == ' '; text.count--) text.octets++;
            return text;
        }

        /* A number in characters, without its decimals; 0 if there are none. */
        static inline bool PREFIX_text(PREFIX_octets octets, unsigned base, int64_t *number) {
            PREFIX_octets text = PREFIX_trimmed(octets);
            uint64_t whole = 0;
            size_t i = 0, digits = 0;
            bool has_point = false;
            *number = 0;
            if (text.count == 0) return true;
            if (base == 10 && (text.octets[0] == '-' || text.octets[0] == '+')) i++;
            for (; i < text.count; i++) {
                unsigned letter = text.octets[i], digit = letter - '0';
                if (base == 10 && letter == '.' && !has_point) {
                    has_point = true;
                    continue;
                }
                if (letter >= 'A') digit = (letter | 0x20) - 'a' + 10;
                if ((letter > '9' && (letter | 0x20) < 'a') || digit >= base || ++digits > (base == 10 ? 18 : 16)) return false;
                if (!has_point) whole = whole * base + digit;
            }
            *number = text.octets[0] == '-' ? -(int64_t)whole : (int64_t)whole;
            return digits > 0;
        }

        /* A sum (0), an exclusive or (1) or a CRC (2). A sum has its modulus as polynomial, and is negated instead of reflected. */
        static inline uint64_t PREFIX_checksum(
            const uint8_t *octets, int64_t start, int64_t end, int64_t gap, int64_t gap_count, unsigned kind, unsigned width,
            uint32_t polynomial, uint32_t initial, bool is_reflected, uint32_t final, int64_t first, bool ends_before) {
            unsigned unused = 32 - width;
            uint32_t divisor = is_reflected ? PREFIX_reversed(polynomial) >> unused : polynomial << unused;
            uint32_t state = is_reflected ? PREFIX_reversed(initial) >> unused : initial << unused;
            if (kind < 2) state = initial;
            if (ends_before) end = gap;
            bool has_gap = gap >= start + first && gap + gap_count <= end;
            for (int64_t i = start + first; i < end; i++) {
                if (has_gap && i >= gap && i < gap + gap_count) continue;
                uint32_t octet = octets[i];
                if (kind < 2) {
                    state = kind == 0 ? state + octet : state ^ octet;
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
            if (kind == 2) return (is_reflected ? state : state >> unused) ^ final;
            if (kind == 0 && polynomial > 0) state %= polynomial;
            if (kind == 0 && is_reflected) state = 0 - state;
            return (state ^ final) & UINT32_MAX >> unused;
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
