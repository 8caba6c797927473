// The Linux HCI monitor socket. In C, because recvmmsg and the control messages of a socket are not visible from Swift.
#ifndef CMONITOR_H
#define CMONITOR_H

#include <stdint.h>
#include <stddef.h>

/// Packets that one call takes at most.
#define MONITOR_BATCH 32
/// The longest packet, with the six octets that the kernel puts before it.
#define MONITOR_LONGEST (6 + 65540)

struct monitor_packet {
	/// Microseconds of the kernel's clock; 0 when it gave none.
	int64_t seconds;
	int64_t microseconds;
	uint16_t opcode;
	uint16_t index;
	uint32_t length;
	/// Into the batch's buffer.
	const uint8_t *octets;
};

struct monitor_batch;

struct monitor_batch *monitor_batch_new(void);
void monitor_batch_free(struct monitor_batch *batch);

/// A socket that hears every controller, or -1 with errno.
int monitor_open(void);

/// Makes the buffer of a socket so many octets large, if it may; how many it is.
int monitor_enlarge(int descriptor, int wanted);

/// Waits for a packet and takes those that are there; how many, or -1 with errno.
int monitor_receive(int descriptor, struct monitor_batch *batch, struct monitor_packet *packets);

/// Packets that the kernel could not put into the socket's buffer so far; 0 when it does not say.
uint32_t monitor_drops(int descriptor);

#endif
