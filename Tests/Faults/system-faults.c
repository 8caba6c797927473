/*
 * Loaded before the C library (LD_PRELOAD): the call with a number, or each from that one on, fails with an error that the
 * system may give at any time. What was called how often is written to a descriptor at the end.
 *
 * FAULT_CALL, FAULT_NUMBER (from 1), FAULT_ERROR (an errno, -1 for fewer octets than asked for, or -2 to wait without an end, which is
 * said on the descriptor), FAULT_LASTS (1: every later call fails, too), FAULT_COUNTS (a descriptor).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum call { OPEN, READ, WRITE, STAT, CLOSE, SEEK, MAP, POLL, SYNC, RENAME, LINK, UNLINK, LOCK, THREAD, CALLS };

static const char *const names[CALLS] = { "open", "read", "write", "stat", "close", "seek", "mmap", "poll", "fsync",
	"rename", "link", "unlink", "flock", "thread" };
static atomic_int counts[CALLS];
static int wanted = -1, number, fault, lasts;

__attribute__((constructor)) static void prepare(void)
{
	const char *name = getenv("FAULT_CALL");

	for (int i = 0; name && i < CALLS; i++)
		if (strcmp(name, names[i]) == 0)
			wanted = i;
	if (wanted >= 0) {
		number = atoi(getenv("FAULT_NUMBER"));
		fault = atoi(getenv("FAULT_ERROR"));
		lasts = atoi(getenv("FAULT_LASTS"));
	}
}

__attribute__((destructor)) static void report(void)
{
	const char *descriptor = getenv("FAULT_COUNTS");

	for (int i = 0; descriptor && i < CALLS; i++)
		dprintf(atoi(descriptor), "%s %d\n", names[i], counts[i]);
}

/* The error of this call; 0: none. */
static int failing(enum call call)
{
	int count = atomic_fetch_add(&counts[call], 1) + 1;

	int answer = (int)call == wanted && (count == number || (lasts && count > number)) ? fault : 0;

	if (answer == -2) {
		dprintf(atoi(getenv("FAULT_COUNTS")), "waiting\n");
		for (;;)
			pause();
	}
	return answer;
}

#define REAL(name) static __typeof__(name) *real; if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)
#define FAIL(call, result) do { int error = failing(call); if (error > 0) { errno = error; return result; } } while (0)
/* With fewer octets as a kind of failure. */
#define FAIL_OR_SHORTEN(call, size) do { int error = failing(call); \
	if (error > 0) { errno = error; return -1; } if (error < 0 && size > 1) size = 1; } while (0)

int open(const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	FAIL(OPEN, -1);
	REAL(open);
	return real(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list arguments;
	va_start(arguments, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, mode_t) : 0;
	va_end(arguments);
	FAIL(OPEN, -1);
	REAL(open64);
	return real(path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) { FAIL(OPEN, NULL); REAL(fopen); return real(path, mode); }
ssize_t read(int descriptor, void *octets, size_t size)
{
	struct stat status;
	REAL(read);
	/* Not the pipe of the signals. */
	if (syscall(SYS_fstat, descriptor, &status) == 0 && S_ISFIFO(status.st_mode))
		return real(descriptor, octets, size);
	FAIL_OR_SHORTEN(READ, size);
	return real(descriptor, octets, size);
}
ssize_t write(int descriptor, const void *octets, size_t size)
{
	FAIL_OR_SHORTEN(WRITE, size);
	REAL(write);
	return real(descriptor, octets, size);
}
int stat(const char *path, struct stat *status) { FAIL(STAT, -1); REAL(stat); return real(path, status); }
int lstat(const char *path, struct stat *status) { FAIL(STAT, -1); REAL(lstat); return real(path, status); }
int fstat(int descriptor, struct stat *status) { FAIL(STAT, -1); REAL(fstat); return real(descriptor, status); }
/* The descriptor is closed all the same, as Linux does it. */
int close(int descriptor) { REAL(close); int error = failing(CLOSE); int result = real(descriptor);
	if (error > 0) { errno = error; return -1; } return result; }
off_t lseek(int descriptor, off_t offset, int from) { FAIL(SEEK, -1); REAL(lseek); return real(descriptor, offset, from); }
void *mmap(void *place, size_t size, int rights, int flags, int descriptor, off_t offset)
{
	FAIL(MAP, MAP_FAILED);
	REAL(mmap);
	return real(place, size, rights, flags, descriptor, offset);
}
int poll(struct pollfd *entries, nfds_t count, int wait) { FAIL(POLL, -1); REAL(poll); return real(entries, count, wait); }
int fsync(int descriptor) { FAIL(SYNC, -1); REAL(fsync); return real(descriptor); }
int rename(const char *from, const char *to) { FAIL(RENAME, -1); REAL(rename); return real(from, to); }
int linkat(int from, const char *old, int to, const char *new, int flags)
{
	FAIL(LINK, -1);
	REAL(linkat);
	return real(from, old, to, new, flags);
}
int unlink(const char *path) { FAIL(UNLINK, -1); REAL(unlink); return real(path); }
int flock(int descriptor, int operation) { FAIL(LOCK, -1); REAL(flock); return real(descriptor, operation); }
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
	int error = failing(THREAD);
	if (error > 0)
		return error;
	REAL(pthread_create);
	return real(thread, attributes, start, argument);
}
