// What a process gives up before it reads what strangers wrote. In C, because the filter of system calls is made of macros.
#ifndef CCONFINEMENT_H
#define CCONFINEMENT_H

/// Gives up all capabilities, and what a program that is run would bring with it. 0, or -1 with errno.
int confinement_drop_capabilities(void);

/// Gives up for this thread and those that it begins: to run programs, and to write, make or remove files but beneath `folder`
/// and `other` (none where it is NULL). Landlock; -1 with errno where the kernel has it not.
int confinement_restrict_files(const char *folder, const char *other);

/// Gives up for the same threads the system calls that decoding never makes: sockets, programs, other processes, and what
/// changes the kernel. They fail with EPERM. seccomp; -1 with errno where the kernel has it not.
int confinement_restrict_calls(void);

#endif
