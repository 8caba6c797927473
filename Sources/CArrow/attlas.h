// Decoded Bluetooth LE captures as Arrow streams, for any program. Documentation/tables.md has the tables.
#ifndef ATTLAS_H
#define ATTLAS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The Arrow C data and stream interface: https://arrow.apache.org/docs/format/CDataInterface.html
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_NULLABLE 2

struct ArrowSchema {
	const char *format;
	const char *name;
	const char *metadata;
	int64_t flags;
	int64_t n_children;
	struct ArrowSchema **children;
	struct ArrowSchema *dictionary;
	void (*release)(struct ArrowSchema *);
	void *private_data;
};

struct ArrowArray {
	int64_t length;
	int64_t null_count;
	int64_t offset;
	int64_t n_buffers;
	int64_t n_children;
	const void **buffers;
	struct ArrowArray **children;
	struct ArrowArray *dictionary;
	void (*release)(struct ArrowArray *);
	void *private_data;
};
#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
	int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *);
	int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *);
	const char *(*get_last_error)(struct ArrowArrayStream *);
	void (*release)(struct ArrowArrayStream *);
	void *private_data;
};
#endif

// The version of attlas.
const char *attlas_version(void);

// How to read a capture: `options` is an array of texts "name=value" that NULL ends, or NULL.
//
//   dissectors=PATH      a definition file or a folder of them, before those of attlas; may be repeated
//   show_keys=1          keys, passkeys and codes, which are withheld otherwise
//   gatt_db=PATH         the GATT tables of devices: another capture, the output of attlas tree --json, or a file of BlueZ; may be repeated
//   keys=PATH            a file with keys; may be repeated
//   irk=, ltk=, tk=, netkey=  a key, as the options of attlas show take it; may be repeated
//   peer=, characteristic=, frames=, from=, to=, filter=
//                        a selection, as the options of attlas show take it
//   sha256=              the hash of the file, where it is known: the table captures has it, and the file is not read for it once more
//   may_match_nothing=1  a selection that matches nothing gives no rows; it is an error otherwise
//
// Each call may be made by another thread, at the same time as others.

// Begins to read `table` of the capture at `path`. Batches of rows are decoded as they are asked for, and the stream may be used by one
// thread at a time; several streams by several threads.
//
// A selection holds for what the conversation says: operations, fields, advertisements, links and faults. The other tables are of the whole
// capture.
//
// A file that cannot be read, an option that is none, and a table that there is not, is an error of the stream: get_schema fails, and
// get_last_error says why. What can be read of a damaged capture comes without an error; the table `captures` has the reason. A capture that
// becomes shorter while it is read is an error at the end of its rows.
void attlas_read_table(const char *path, const char *table, const char *const *options, struct ArrowArrayStream *stream);

// Several tables of one capture, which is decoded once.
struct attlas_tables;

// Begins to read `tables`, an array of names that NULL ends, as attlas_read_table reads one. NULL: there are none, and `*error` is a text for
// attlas_free that says why.
struct attlas_tables *attlas_open_tables(
	const char *path, const char *const *tables, const char *const *options, char **error);

// The columns of the table at `index` of those that were asked for; a released schema if there is none.
void attlas_schema(struct attlas_tables *tables, intptr_t index, struct ArrowSchema *schema);

// Decodes until a batch of one of the tables is full, or to the end of the capture. Returns the index of this table, or -1 when there are no
// more rows. The batch is the caller's to release. No more than a batch of each table is held: 65,536 rows, or 16 MiB of texts and values.
intptr_t attlas_next_batch(struct attlas_tables *tables, struct ArrowArray *batch);

// After -1: a text for attlas_free that says why the selection matches nothing, or that the capture became shorter while it was read; NULL at
// the end. With tables of the whole capture this is known at
// its end, and otherwise by attlas_open_tables and attlas_read_table.
char *attlas_tables_error(struct attlas_tables *tables);

// NULL is nothing.
void attlas_close_tables(struct attlas_tables *tables);

// The columns of the table of this name; a released schema if there is none.
void attlas_table_schema(const char *table, struct ArrowSchema *schema);

// Reads a capture while it is written, from `descriptor`: a pipe, a socket, or a file that grows, which is looked at from where it stands. It
// stays the caller's. `name` is for messages; of a file it is the path, and the file has ended when another is there, or when it has become
// shorter. A capture in an archive, or compressed, is read when it can be told.
//
// `take` gets `context`, the index of a table, and a batch that is the callee's to release: when it is full, and all rows so far every
// `milliseconds`, also if nothing more comes. At least ten times a second it is called with -1 and NULL. 0 ends the reading; the rows that
// were not given then are gone. A selection knows the peers by what was read before.
//
// Returns NULL at the end, or a text for attlas_free that says why it could not begin.
char *attlas_follow(
	int descriptor, const char *name, const char *const *tables, const char *const *options, int milliseconds,
	int (*take)(void *context, intptr_t table, struct ArrowArray *batch), void *context);

// Reads the capture at `path` to its end, and returns `document` of it: devices, tree, stats or lint, the JSON that the command of this name
// prints with --json. A selection holds for stats. A fifth document, contents, is {"captures": [NAME…], "errors": [TEXT…]}: the file itself, or the
// captures inside an archive, each of which can be read as a path; and why others cannot.
//
// A capture that becomes shorter while it is read is an error.
//
// `goes_on` may be NULL. It is called with `context` after every few thousand records; 0 ends the reading.
//
// The text is UTF-8, and is given back to attlas_free. NULL: there is none, and `*error` is a text for attlas_free that says why.
char *attlas_read_document(
	const char *path, const char *document, const char *const *options, int (*goes_on)(void *), void *context, char **error);

// Decodes one value of an attribute: JSON as attlas dissect --json prints it. `attribute` is a UUID, a name or a part of one, or a company such
// as 0x004C; `operation` is read, write, notify or indicate, or NULL for the one whose layout fits. Text and errors as above.
char *attlas_dissect(
	const char *attribute, const uint8_t *value, intptr_t count, const char *operation, const char *const *options, char **error);

// The columns of the wide form of a characteristic, which no capture changes: JSON, [{"path": TEXT, "kind": integer, unsigned, real, boolean or
// text, "list": BOOLEAN, "special": BOOLEAN, "unit": TEXT or null}, …]. `characteristic` is a UUID; without a definition there are none. Text and
// errors as above.
char *attlas_wide_columns(const char *characteristic, const char *const *options, char **error);

// Functions of Python's C API, in a program that loads this library with Python: PyGILState_Ensure, PyGILState_Release, PyErr_CheckSignals,
// PyErr_Fetch, PyErr_Restore, Py_AddPendingCall, PyCapsule_GetName, PyCapsule_GetPointer.
struct attlas_python {
	int (*ensure)(void);
	void (*release)(int);
	int (*check_signals)(void);
	void (*fetch)(void **type, void **value, void **trace);
	void (*restore)(void *type, void *value, void *trace);
	int (*add_pending_call)(int (*call)(void *), void *context);
	const char *(*capsule_name)(void *capsule);
	void *(*capsule_pointer)(void *capsule, const char *name);
	// The pthread_t of the main thread: its identifier in Python's module threading.
	unsigned long main_thread;
};

// Runs Python's signal handlers while its main thread reads, at least every 50 ms. If one raises an exception, reading ends: a stream and
// attlas_next_batch have no more rows, a document is NULL, and the exception is pending, so that Python raises it before its next instruction.
// To be called once, before anything is read.
void attlas_use_python(const struct attlas_python *functions);

// The number of readings that such an exception has ended.
intptr_t attlas_interruptions(void);

// The destructor of a Python capsule named arrow_array_stream, arrow_schema or arrow_array, whose structure was allocated by calloc: releases the
// structure unless a consumer took it, and frees its memory. A capsule of another name has tables of attlas_open_tables, which are closed. It
// runs no Python code, in which a pending KeyboardInterrupt would be lost.
void attlas_destroy_capsule(void *capsule);

// Of a text from this library; NULL is nothing.
void attlas_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
