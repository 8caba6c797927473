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

// Begins to read `table` of the capture at `path`. Batches of rows are decoded as they are asked for, and the stream may be used by one
// thread at a time; several streams by several threads.
//
// A file that cannot be read, and a table that there is not, is an error of the stream: get_schema fails, and get_last_error says why. What
// can be read of a damaged capture comes without an error; the table `captures` has the reason.
void attlas_read_table(const char *path, const char *table, struct ArrowArrayStream *stream);

#ifdef __cplusplus
}
#endif

#endif
