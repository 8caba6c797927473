// What a process gives up before it reads what strangers wrote. In C, because the filter of system calls is made of macros.
#ifndef CCONFINEMENT_H
#define CCONFINEMENT_H

#include <sys/types.h>

/// Gives up all capabilities, and what a program that is run would bring with it. 0, or -1 with errno.
int confinement_drop_capabilities(void);

/// What may be done with the files beneath a path.
enum confinement_access {
	CONFINEMENT_READ = 1,
	CONFINEMENT_WRITE = 2,
	CONFINEMENT_TERMINAL = 4,
	/* An empty folder in it may be removed. */
	CONFINEMENT_REMOVE_FOLDER = 8,
};

/// The beginning of a list of files: its descriptor, or -1 where the kernel has no Landlock.
int confinement_begin_files(void);

/// Adds a file, or a folder with everything beneath it. One that is missing is left out.
void confinement_allow_files(int list, const char *path, int access);

/// Gives up for this thread and those that it begins: all other files, running programs, TCP, and signals and abstract sockets of other
/// processes, as far as the kernel has rules for them. Closes the list. 0, or -1 with errno.
int confinement_restrict_files(int list);

/// Gives up for the same threads all system calls but those that decoding makes. Others fail with EPERM. 0, or -1 with errno.
///
/// - Parameters:
///   - writes: whether files are made, named and removed.
///   - owner, group: to whom they may be given; -1 for nobody.
int confinement_restrict_calls(int writes, uid_t owner, gid_t group);

#endif
