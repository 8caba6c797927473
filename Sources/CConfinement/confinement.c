#define _GNU_SOURCE
#include "CConfinement.h"

#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <asm/ioctls.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int confinement_drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_capset, &header, none);
}

/* Files. landlock(7); the numbers and the structure of kernels that are newer than the headers of Debian 12. */

#define ACCESS_REFER (1ULL << 13)
#define ACCESS_TRUNCATE (1ULL << 14)
#define ACCESS_IOCTL_DEVICE (1ULL << 15)
#define NETWORK_BIND_AND_CONNECT 3ULL
#define SCOPE_SOCKETS_AND_SIGNALS 3ULL

static const uint64_t reading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
static const uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
	LANDLOCK_ACCESS_FS_REMOVE_FILE | ACCESS_TRUNCATE;
static const uint64_t of_files = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE |
	ACCESS_IOCTL_DEVICE;

static uint64_t handled(long version)
{
	uint64_t all = (1ULL << 13) - 1;

	return all | (version >= 2 ? ACCESS_REFER : 0) | (version >= 3 ? ACCESS_TRUNCATE : 0) |
		(version >= 5 ? ACCESS_IOCTL_DEVICE : 0);
}

static long landlock_version(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
}

int confinement_begin_files(void)
{
	long version = landlock_version();
	/* A kernel takes what is longer than it knows if the rest is 0. */
	struct {
		uint64_t files, network, scopes;
	} rules = {
		.files = handled(version),
		.network = version >= 4 ? NETWORK_BIND_AND_CONNECT : 0,
		.scopes = version >= 6 ? SCOPE_SOCKETS_AND_SIGNALS : 0,
	};

	return version < 0 ? -1 : (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
}

void confinement_allow_files(int list, const char *path, int access)
{
	struct stat status;
	struct landlock_path_beneath_attr place = { .parent_fd = open(path, O_PATH | O_CLOEXEC) };

	if (place.parent_fd < 0)
		return;
	if (access & CONFINEMENT_READ)
		place.allowed_access |= reading;
	if (access & CONFINEMENT_WRITE)
		place.allowed_access |= writing;
	if (access & CONFINEMENT_REMOVE_FOLDER)
		place.allowed_access |= LANDLOCK_ACCESS_FS_REMOVE_DIR;
	if (access & CONFINEMENT_TERMINAL)
		place.allowed_access |= LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_IOCTL_DEVICE;
	place.allowed_access &= handled(landlock_version());
	if (fstat(place.parent_fd, &status) == 0) {
		if (!S_ISDIR(status.st_mode))
			place.allowed_access &= of_files;
		(void)syscall(SYS_landlock_add_rule, list, LANDLOCK_RULE_PATH_BENEATH, &place, 0);
	}
	close(place.parent_fd);
}

int confinement_restrict_files(int list)
{
	int status = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), reason;

	if (status == 0)
		status = (int)syscall(SYS_landlock_restrict_self, list, 0);
	reason = errno;
	close(list);
	errno = reason;
	return status;
}

/* System calls. seccomp(2) */

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

static const int allowed[] = {
	SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_pwrite64, SYS_lseek, SYS_openat, SYS_close,
	SYS_dup, SYS_dup3, SYS_pipe2, SYS_eventfd2, SYS_flock, SYS_fadvise64, SYS_getdents64,
	SYS_fstat, SYS_newfstatat, SYS_statx, SYS_statfs, SYS_fstatfs, SYS_faccessat, SYS_readlinkat, SYS_getcwd,
	SYS_ppoll, SYS_pselect6, SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_pwait,
	/* From sockets that are open. */
	SYS_recvfrom, SYS_recvmsg, SYS_recvmmsg, SYS_getsockopt,
	SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise,
	SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_rseq, SYS_membarrier,
	SYS_sched_yield, SYS_sched_getaffinity, SYS_gettid, SYS_getpid, SYS_getppid, SYS_getpgid,
	SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getresuid, SYS_getresgid,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_rt_sigtimedwait, SYS_sigaltstack, SYS_setitimer,
	SYS_restart_syscall, SYS_exit, SYS_exit_group,
	SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
	SYS_getrandom, SYS_getrusage, SYS_sysinfo, SYS_uname, SYS_times,
#ifdef SYS_open
	SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_dup2, SYS_pipe, SYS_poll, SYS_select,
	SYS_epoll_wait, SYS_getpgrp, SYS_getrlimit, SYS_alarm, SYS_pause, SYS_time,
#endif
};

/* Where files are made, named and removed. */
static const int making[] = {
	SYS_ftruncate, SYS_fallocate, SYS_fsync, SYS_fdatasync, SYS_unlinkat, SYS_renameat, SYS_linkat,
#ifdef SYS_unlink
	SYS_unlink, SYS_rename, SYS_link, SYS_rmdir,
#endif
};

/* The settings and the size of a terminal, how much is waiting, and libpcap's counts: no characters into its input. */
static const uint32_t terminal[] = {
	TCGETS, TCSETS, TCSETSW, TCSETSF, TCGETS2, TCSETS2, TCSETSW2, TCSETSF2, TCFLSH, TCSBRK, TIOCGWINSZ, TIOCGPGRP,
	FIONREAD, 0x800448d3 /* HCIGETDEVINFO */,
};

/* Descriptors and locks; not who gets the signals of a descriptor. */
static const uint32_t descriptors[] = {
	F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW,
};

/* The names of threads and of memory. */
static const uint32_t naming[] = { PR_SET_NAME, PR_GET_NAME, PR_SET_VMA };

#define COUNT(array) ((int)(sizeof(array) / sizeof(*(array))))
#define LOW(argument) (offsetof(struct seccomp_data, args) + 8 * (argument))
#define NEW_NAMESPACES (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | \
	CLONE_NEWNET)

struct filter {
	struct sock_filter steps[512];
	int count;
};

static void add(struct filter *filter, uint16_t code, uint8_t yes, uint8_t no, uint32_t value)
{
	filter->steps[filter->count++] = (struct sock_filter)BPF_JUMP(code, value, yes, no);
}

static void answer(struct filter *filter, uint32_t value)
{
	add(filter, BPF_RET | BPF_K, 0, 0, value);
}

static void load(struct filter *filter, size_t offset)
{
	add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, (uint32_t)offset);
}

static void allow(struct filter *filter, const int *calls, int count)
{
	for (int i = 0; i < count; i++) {
		add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)calls[i]);
		answer(filter, SECCOMP_RET_ALLOW);
	}
}

/* A call whose argument is one of these. The number of the call is loaded, and is again at the end. */
static void allow_values(struct filter *filter, int call, int argument, const uint32_t *values, int count)
{
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, (uint8_t)(2 * count + 2), (uint32_t)call);
	load(filter, LOW(argument));
	for (int i = 0; i < count; i++) {
		add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, values[i]);
		answer(filter, SECCOMP_RET_ALLOW);
	}
	answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

/* A call whose argument has all bits of `wanted` and none of `unwanted`. */
static void allow_bits(struct filter *filter, int call, int argument, uint32_t wanted, uint32_t unwanted)
{
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (uint32_t)call);
	load(filter, LOW(argument));
	add(filter, BPF_ALU | BPF_AND | BPF_K, 0, 0, wanted | unwanted);
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, wanted);
	answer(filter, SECCOMP_RET_ALLOW);
	answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

/* A call with these values at two offsets. */
static void allow_pair(struct filter *filter, int call, size_t first, uint32_t value, size_t second, uint32_t other)
{
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 6, (uint32_t)call);
	load(filter, first);
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, value);
	load(filter, second);
	add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, other);
	answer(filter, SECCOMP_RET_ALLOW);
	answer(filter, SECCOMP_RET_ERRNO | EPERM);
}

int confinement_restrict_calls(int writes, uid_t owner, gid_t group)
{
	struct filter filter = { .count = 0 };
	struct sock_fprog program = { .filter = filter.steps };
	const uint32_t self = (uint32_t)getpid();

	/* The numbers are those of one architecture, without the second set of x86-64, x32. */
	load(&filter, offsetof(struct seccomp_data, arch));
	add(&filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, ARCHITECTURE);
	answer(&filter, SECCOMP_RET_KILL_PROCESS);
	load(&filter, offsetof(struct seccomp_data, nr));
	allow(&filter, allowed, COUNT(allowed));
	if (writes)
		allow(&filter, making, COUNT(making));
	/* What is not enough ends with an answer, so that a call is asked about once. */
	if (owner != (uid_t)-1)
		allow_pair(&filter, SYS_fchown, LOW(1), owner, LOW(2), group);
	allow_values(&filter, SYS_ioctl, 1, terminal, COUNT(terminal));
	allow_values(&filter, SYS_fcntl, 1, descriptors, COUNT(descriptors));
	allow_values(&filter, SYS_prctl, 0, naming, COUNT(naming));
	allow_values(&filter, SYS_kill, 0, &self, 1);
	allow_values(&filter, SYS_tgkill, 0, &self, 1);
	/* Limits are read: there is no pointer to new ones. */
	allow_pair(&filter, SYS_prlimit64, LOW(2), 0, LOW(2) + 4, 0);
	/* No memory that is code. */
	allow_bits(&filter, SYS_mmap, 2, 0, PROT_EXEC);
	allow_bits(&filter, SYS_mprotect, 2, 0, PROT_EXEC);
	/* Threads, not processes. The C library falls back to clone, whose flags can be seen. */
	allow_bits(&filter, SYS_clone, 0, CLONE_VM | CLONE_THREAD, NEW_NAMESPACES);
	add(&filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_clone3);
	answer(&filter, SECCOMP_RET_ERRNO | ENOSYS);
	answer(&filter, SECCOMP_RET_ERRNO | EPERM);
	program.len = (unsigned short)filter.count;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

#else

int confinement_restrict_calls(int writes, uid_t owner, gid_t group)
{
	(void)writes;
	(void)owner;
	(void)group;
	errno = ENOSYS;
	return -1;
}

#endif
