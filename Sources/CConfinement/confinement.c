#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Newer than the headers of Debian 12. */
#ifndef LANDLOCK_ACCESS_FS_REFER
#define LANDLOCK_ACCESS_FS_REFER (1ULL << 13)
#endif
#ifndef LANDLOCK_ACCESS_FS_TRUNCATE
#define LANDLOCK_ACCESS_FS_TRUNCATE (1ULL << 14)
#endif

int confinement_drop_capabilities(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_capset, &header, none);
}

int confinement_restrict_files(const char *folder, const char *other)
{
	const uint64_t recording = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |
		LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_TRUNCATE;
	struct landlock_ruleset_attr rules = {
		.handled_access_fs = recording | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
			LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_SOCK |
			LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM |
			LANDLOCK_ACCESS_FS_REFER,
	};
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	const char *const folders[] = { folder, other };
	int set, status, reason;

	if (version < 0)
		return -1;
	if (version < 2)
		rules.handled_access_fs &= ~LANDLOCK_ACCESS_FS_REFER;
	if (version < 3)
		rules.handled_access_fs &= ~LANDLOCK_ACCESS_FS_TRUNCATE;
	set = (int)syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
	if (set < 0)
		return -1;
	status = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	for (int index = 0; index < 2 && status == 0; index++) {
		if (!folders[index])
			continue;
		struct landlock_path_beneath_attr place = {
			.allowed_access = recording & rules.handled_access_fs,
			.parent_fd = open(folders[index], O_PATH | O_CLOEXEC),
		};
		/* A folder that is not there has no file beneath it: what is written there will say so. */
		if (place.parent_fd >= 0) {
			status = (int)syscall(SYS_landlock_add_rule, set, LANDLOCK_RULE_PATH_BENEATH, &place, 0);
			close(place.parent_fd);
		}
	}
	if (status == 0)
		status = (int)syscall(SYS_landlock_restrict_self, set, 0);
	reason = errno;
	close(set);
	errno = reason;
	return status;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static const int denied[] = {
	SYS_execve, SYS_execveat, SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev,
	SYS_socket, SYS_socketpair, SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4,
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_setns, SYS_unshare,
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_reboot, SYS_swapon,
	SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup,
	SYS_add_key, SYS_request_key, SYS_keyctl, SYS_open_by_handle_at,
	SYS_settimeofday, SYS_clock_settime, SYS_adjtimex, SYS_sethostname,
};

int confinement_restrict_calls(void)
{
#ifdef ARCHITECTURE
	enum { COUNT = sizeof(denied) / sizeof(*denied) };
	struct sock_filter filter[COUNT + 7];
	struct sock_fprog program = { .len = COUNT + 7, .filter = filter };
	int at = 0;

	/* The numbers below are those of one architecture. */
	filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
	filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
	filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	filter[at++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
	/* The second set of numbers that x86-64 has, x32. */
	filter[at++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, COUNT + 1, 0);
	for (int i = 0; i < COUNT; i++)
		filter[at++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)denied[i], (uint8_t)(COUNT - i), 0);
	filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[at++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
#else
	errno = ENOSYS;
	return -1;
#endif
}
