/* sotto on a data owner's device: records in, privatised reports out. C99; also for C++ and whatever calls C.
 *
 * In this order: load a mechanism (a .sotto file in memory), open a release (a mechanism with its privacy parameters
 * set), show its words to the person whose record it is, and privatise. A ledger keeps a budget over many releases.
 *
 * Privacy parameters are exact texts, as people write them ("1.5", "1/2", "1e-6"), and none has a default but delta,
 * which is 0 unless given. Randomness comes from the operating system and nowhere else. Channels whose promise is not
 * proven for this program are refused.
 *
 * Errors: a call that fails returns a status other than SOTTO_OK, sets its output pointer to NULL, fills its output
 * buffer with zeros, and leaves a message for sotto_last_error(). Messages never contain a record, a label or a report.
 * NULL is refused in words everywhere. A call that fails changes nothing, except that a ledger may have been charged
 * for a report that could not be made or stored; asking again about that record uses the charge.
 *
 * Threads: any number may use one mechanism or release at once; a ledger makes them wait for each other. Nobody may use
 * what another thread is freeing, and a thread inside a call must not be cancelled. Handles do not need each other: a
 * mechanism may be freed while its releases live. After a fork, a child may use mechanisms and releases, but must open
 * a ledger itself.
 *
 * Compatibility: structures begin with their size, so that both sides may grow. See sotto_abi_version(). */
#ifndef SOTTO_H
#define SOTTO_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SOTTO_API __attribute__((visibility("default")))
#else
#define SOTTO_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header. A library of another version has another name, libsotto_device.so.<version>. */
#define SOTTO_ABI_VERSION 1

/* The version of the library that is running. */
SOTTO_API uint32_t sotto_abi_version(void);

typedef int32_t sotto_status;
enum {
  SOTTO_OK = 0,
  SOTTO_INVALID_ARGUMENT = 1, /* a parameter is wrong: a NULL, an epsilon that is no number */
  SOTTO_INVALID_INPUT = 2,    /* a record or label has the wrong size or form */
  SOTTO_CORRUPT_FILE = 3,     /* a mechanism or ledger file fails its checks */
  SOTTO_BUDGET_EXCEEDED = 4,  /* the ledger refuses */
  SOTTO_ENTROPY_FAILURE = 5,  /* the operating system gave no randomness: nothing was released */
  SOTTO_UNSUPPORTED = 6,      /* well-formed, but not done here: an inexact channel, a field of a later version */
  SOTTO_IO = 7,               /* the operating system refused a read or write, or memory */
  SOTTO_INTERNAL = 8          /* a defect of this library: please report it */
};

/* What went wrong in this thread's last call that returns a status; "" when nothing did. Valid until the thread's next
 * such call. */
SOTTO_API const char* sotto_last_error(void);

/* --- Mechanisms ------------------------------------------------------------------------------------------------- */

typedef struct sotto_mechanism sotto_mechanism;

/* Reads a .sotto file from memory, which is not needed afterwards. The file may come from anybody: it decides what is
 * asked, never how much is revealed. */
SOTTO_API sotto_status sotto_mechanism_load(const void* bytes, size_t size, sotto_mechanism** mechanism);
SOTTO_API void sotto_mechanism_free(sotto_mechanism* mechanism); /* NULL is fine */

/* What it is, in words: lines of a name and what there is to say, for people. UTF-8, no control characters but line
 * feeds. Lives as long as the mechanism. */
SOTTO_API const char* sotto_mechanism_description(const sotto_mechanism* mechanism);

/* How many floats make a record: pixels between 0 and 1, channel by channel and row by row; or one value a column, a
 * number as it is or the index of a category. Any float is safe; those outside these bounds only make poor reports. */
SOTTO_API size_t sotto_mechanism_record_length(const sotto_mechanism* mechanism);

/* How many classes its label has (0: it has no label), and their names; a label is an index into them. NULL beyond the
 * last. */
SOTTO_API size_t sotto_mechanism_class_count(const sotto_mechanism* mechanism);
SOTTO_API const char* sotto_mechanism_class_name(const sotto_mechanism* mechanism, size_t index);

/* --- Releases --------------------------------------------------------------------------------------------------- */

typedef struct sotto_release sotto_release;

/* Set all of it to zero, then its size, then what is wanted. A label goes along in one of two ways, or stays where it
 * is. */
typedef struct sotto_release_options {
  size_t struct_size;  /* sizeof(sotto_release_options) */
  const char* epsilon; /* what one report may reveal; there is no default */
  const char* delta;   /* for Gaussian channels only; NULL: 0 */
  const char* lambda;  /* the share of epsilon for the features, the label gets the rest; NULL: no such label */
  int32_t joint_label; /* 1: record and label go together and get all of epsilon; not with lambda */
  int32_t reserved;    /* 0 */
} sotto_release_options;

SOTTO_API sotto_status sotto_release_open(const sotto_mechanism* mechanism, const sotto_release_options* options,
                                          sotto_release** release);
SOTTO_API void sotto_release_free(sotto_release* release);

/* What it promises, in words, and what leaves the device. Lives as long as the release. */
SOTTO_API const char* sotto_release_description(const sotto_release* release);

SOTTO_API int32_t sotto_release_takes_labels(const sotto_release* release); /* 1 or 0 */

typedef int32_t sotto_format;
enum {
  SOTTO_CBOR = 1,  /* one CBOR item a report, for machines */
  SOTTO_NDJSON = 2 /* one line of JSON a report with its line feed, for people */
};

/* The size of every report in bytes, whatever it says; 0 for an unknown format. */
SOTTO_API size_t sotto_release_report_size(const sotto_release* release, sotto_format format);

/* Makes a report of each record. `values` holds the records one after another, `labels` one label each (NULL and 0 when
 * the release takes none); `reports` must have room for exactly as many reports. Reports about one record add up: what
 * was promised holds for each, and all of them reveal the sum. A ledger keeps count. */
SOTTO_API sotto_status sotto_privatize(const sotto_release* release, const float* values, size_t value_count,
                                       const int32_t* labels, size_t label_count, sotto_format format, void* reports,
                                       size_t reports_size);

/* --- Budgets ---------------------------------------------------------------------------------------------------- */

typedef struct sotto_ledger sotto_ledger;

typedef struct sotto_ledger_options {
  size_t struct_size;  /* sizeof(sotto_ledger_options) */
  const char* path;    /* created, for its owner only, if it is not there */
  const char* epsilon; /* the budget; no default. Fixed at creation: a ledger with another one is refused */
  const char* delta;   /* NULL: 0 */
} sotto_ledger_options;

/* One ledger at a time may be open on a file, in one process. */
SOTTO_API sotto_status sotto_ledger_open(const sotto_ledger_options* options, sotto_ledger** ledger);
SOTTO_API void sotto_ledger_free(sotto_ledger* ledger);

/* The report about one record, which is made at most once: the first call charges the budget and stores the report
 * before it returns; any later one with the same record, label and release, also of another process that opens the
 * file, returns the same report, in either format, and charges nothing. `label` is NULL when the release takes none. */
SOTTO_API sotto_status sotto_ledger_privatize(sotto_ledger* ledger, const sotto_release* release, const float* values,
                                              size_t value_count, const int32_t* label, sotto_format format,
                                              void* report, size_t report_size);

/* A long enough text for any amount, such as "2.5" or "7/3". */
#define SOTTO_AMOUNT_SIZE 48

typedef struct sotto_balance {
  size_t struct_size; /* sizeof(sotto_balance); set it before the call */
  uint64_t charges;   /* how many reports were paid for */
  char total_epsilon[SOTTO_AMOUNT_SIZE];
  char total_delta[SOTTO_AMOUNT_SIZE];
  char spent_epsilon[SOTTO_AMOUNT_SIZE];
  char spent_delta[SOTTO_AMOUNT_SIZE];
  char remaining_epsilon[SOTTO_AMOUNT_SIZE];
  char remaining_delta[SOTTO_AMOUNT_SIZE];
} sotto_balance;

SOTTO_API sotto_status sotto_ledger_balance(sotto_ledger* ledger, sotto_balance* balance);

#ifdef __cplusplus
}
#endif

#endif /* SOTTO_H */
