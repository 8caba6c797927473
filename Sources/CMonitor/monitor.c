#define _GNU_SOURCE
#include "CMonitor.h"

#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <errno.h>
#include <linux/sock_diag.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#ifndef SO_MEMINFO
#define SO_MEMINFO 55
#endif

struct monitor_batch {
	struct mmsghdr messages[MONITOR_BATCH];
	struct iovec vectors[MONITOR_BATCH];
	union {
		struct cmsghdr alignment;
		uint8_t octets[CMSG_SPACE(sizeof(struct timeval))];
	} controls[MONITOR_BATCH];
	uint8_t buffers[MONITOR_BATCH][MONITOR_LONGEST];
};

struct monitor_batch *monitor_batch_new(void)
{
	return calloc(1, sizeof(struct monitor_batch));
}

void monitor_batch_free(struct monitor_batch *batch)
{
	free(batch);
}

int monitor_open(void)
{
	struct sockaddr_hci address = {
		.hci_family = AF_BLUETOOTH, .hci_dev = HCI_DEV_NONE, .hci_channel = HCI_CHANNEL_MONITOR,
	};
	int on = 1;
	int descriptor = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);

	if (descriptor < 0)
		return -1;
	setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMP, &on, sizeof(on));
	if (bind(descriptor, (struct sockaddr *)&address, sizeof(address)) < 0) {
		int reason = errno;
		close(descriptor);
		errno = reason;
		return -1;
	}
	return descriptor;
}

int monitor_enlarge(int descriptor, int wanted)
{
	int room = 0;
	socklen_t length = sizeof(room);

	/* Without the privilege the system's own limit holds. */
	if (setsockopt(descriptor, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof(wanted)) < 0)
		setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof(wanted));
	if (getsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &room, &length) < 0)
		return 0;
	/* The kernel says twice what it was given: the half is for its own records. */
	return room / 2;
}

int monitor_receive(int descriptor, struct monitor_batch *batch, struct monitor_packet *packets)
{
	int count, kept = 0;

	for (int i = 0; i < MONITOR_BATCH; i++) {
		batch->vectors[i].iov_base = batch->buffers[i];
		batch->vectors[i].iov_len = MONITOR_LONGEST;
		batch->messages[i].msg_hdr = (struct msghdr){
			.msg_iov = &batch->vectors[i], .msg_iovlen = 1,
			.msg_control = &batch->controls[i], .msg_controllen = sizeof(batch->controls[i]),
		};
	}
	count = recvmmsg(descriptor, batch->messages, MONITOR_BATCH, MSG_WAITFORONE, NULL);
	for (int i = 0; i < count; i++) {
		struct msghdr *message = &batch->messages[i].msg_hdr;
		const uint8_t *octets = batch->buffers[i];
		struct monitor_packet *packet = &packets[kept];
		uint32_t length = batch->messages[i].msg_len;

		if (length < 6)
			continue;
		memset(packet, 0, sizeof(*packet));
		for (struct cmsghdr *control = CMSG_FIRSTHDR(message); control; control = CMSG_NXTHDR(message, control)) {
			struct timeval time;
			if (control->cmsg_level != SOL_SOCKET || control->cmsg_type != SCM_TIMESTAMP)
				continue;
			memcpy(&time, CMSG_DATA(control), sizeof(time));
			packet->seconds = time.tv_sec;
			packet->microseconds = time.tv_usec;
		}
		packet->opcode = (uint16_t)(octets[0] | octets[1] << 8);
		packet->index = (uint16_t)(octets[2] | octets[3] << 8);
		packet->length = length - 6;
		packet->octets = octets + 6;
		kept++;
	}
	return count < 0 ? -1 : kept;
}

uint32_t monitor_drops(int descriptor)
{
	uint32_t figures[SK_MEMINFO_VARS] = {0};
	socklen_t length = sizeof(figures);

	if (getsockopt(descriptor, SOL_SOCKET, SO_MEMINFO, figures, &length) < 0 ||
	    length < (SK_MEMINFO_DROPS + 1) * sizeof(uint32_t))
		return 0;
	return figures[SK_MEMINFO_DROPS];
}
