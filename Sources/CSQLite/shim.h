#pragma once

#include <sqlite3.h>

// A virtual table of ours. SQLite knows its first member.
struct attlas_virtual_table {
	sqlite3_vtab base;
	void *source;
};
