/*
 * Loaded before the C library (LD_PRELOAD): when the process has confined itself, tries what a decoder never does, in ways that change
 * nothing if they succeed, and writes each errno to a descriptor (PROBE_OUTPUT), 0 for what was allowed.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int output;

static void tell(const char *name, long result)
{
	dprintf(output, "%s %d\n", name, result < 0 ? errno : 0);
}

static void probe(void)
{
	const int nothing = open("/proc/self/stat", O_RDONLY);
	struct rlimit limit = { RLIM_INFINITY, RLIM_INFINITY };
	char *no_arguments[] = { NULL };
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int descriptors[2];
	long process;

	/* Files: what was named, what was not, and what no command writes. */
	tell("file:read-input", open("a.btsnoop", O_RDONLY));
	tell("file:read-other", open("other", O_RDONLY));
	tell("file:read-passwd", open("/etc/passwd", O_RDONLY));
	tell("file:list-folder", open("/etc", O_RDONLY | O_DIRECTORY));
	tell("file:write-other", open("other", O_WRONLY));
	tell("file:write-input", open("/etc/attlas-probe", O_WRONLY | O_CREAT, 0600));
	tell("file:make-folder", mkdir("/tmp/attlas-probe", 0700));
	/* The terminal's input; /proc is no terminal. */
	tell("ioctl:TIOCSTI", ioctl(nothing, TIOCSTI, "x"));
	tell("ioctl:TIOCSCTTY", ioctl(nothing, TIOCSCTTY, 0));
	tell("ioctl:TIOCLINUX", ioctl(nothing, TIOCLINUX, "\6"));
	tell("ioctl:unknown", ioctl(nothing, 0x12345678, 0));
	tell("call:chmod", chmod("other", 0644));
	tell("call:fchmod", fchmod(nothing, 0644));
	tell("call:chown", chown("other", getuid(), getgid()));
	tell("call:fchown", fchown(nothing, 4242, 4242));
	tell("call:symlink", symlink("other", "/tmp/attlas-probe-link"));
	tell("call:mknod", mknod("/tmp/attlas-probe-node", S_IFIFO | 0600, 0));
	tell("call:kill-parent", kill(getppid(), 0));
	tell("call:kill-group", kill(0, 0));
	tell("call:pidfd_open", syscall(SYS_pidfd_open, getppid(), 0));
	tell("call:unshare", unshare(CLONE_NEWUSER));
	process = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (process == 0)
		_exit(0);
	tell("call:fork", process);
	tell("call:clone3", syscall(SYS_clone3, NULL, 0));
	tell("call:execve", execve("/bin/true", no_arguments, no_arguments));
	tell("call:mmap-code", (long)mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0));
	tell("call:mprotect-code", mprotect(page, 4096, PROT_READ | PROT_EXEC));
	tell("call:memfd_create", syscall(SYS_memfd_create, "probe", 0));
	tell("call:socket", socket(AF_INET, SOCK_STREAM, 0));
	tell("call:unix-socket", socket(AF_UNIX, SOCK_STREAM, 0));
	tell("call:socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, descriptors));
	tell("call:ptrace", ptrace(PTRACE_PEEKDATA, getppid(), 0, 0));
	tell("call:process_vm_readv", syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0));
	tell("call:prctl-dumpable", prctl(PR_SET_DUMPABLE, 1, 0, 0, 0));
	tell("call:setrlimit", setrlimit(RLIMIT_CORE, &limit));
	tell("call:fcntl-owner", fcntl(nothing, F_SETOWN, getppid()));
	tell("call:setuid", syscall(SYS_setuid, getuid()));
	tell("call:setsid", setsid());
	tell("call:chroot", chroot("."));
	tell("call:io_uring_setup", syscall(SYS_io_uring_setup, 0, NULL));
	tell("call:bpf", syscall(SYS_bpf, 0, NULL, 0));
	tell("call:perf_event_open", syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0));
	tell("call:keyctl", syscall(SYS_keyctl, 0, 0, 0, 0, 0));
	tell("call:personality", syscall(SYS_personality, 0xffffffff));
	tell("call:name_to_handle_at", syscall(SYS_name_to_handle_at, -1, "", NULL, NULL, 0));
	close(nothing);
}

int prctl(int option, ...)
{
	static int (*real)(int, ...);
	unsigned long values[4];
	va_list arguments;
	int result;

	va_start(arguments, option);
	for (int i = 0; i < 4; i++)
		values[i] = va_arg(arguments, unsigned long);
	va_end(arguments);
	if (!real)
		real = (int (*)(int, ...))dlsym(RTLD_NEXT, "prctl");
	if (option == PR_SET_SECCOMP) {
		output = atoi(getenv("PROBE_OUTPUT"));
		dprintf(output, "landlock %ld\n",
			syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION));
	}
	result = real(option, values[0], values[1], values[2], values[3]);
	if (option == PR_SET_SECCOMP)
		probe();
	return result;
}
