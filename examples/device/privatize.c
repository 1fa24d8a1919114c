/* Reads one record (numbers, separated by white space) from standard input, says on standard error what is about to
 * leave the device, and prints the report, the only thing that may be sent.
 *
 *   cc privatize.c $(pkg-config --cflags --libs sotto-device) -o privatize
 *   echo 0.5 0.25 | ./privatize MECHANISM.sotto EPSILON [LEDGER BUDGET]
 *
 * With a ledger, one record gets one report for ever, and all reports together stay within the budget. */
#include <sotto.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const char* what) {
  fprintf(stderr, "%s: %s\n", what, sotto_last_error());
  return 1;
}

static void* read_file(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  char* bytes = NULL;
  *size = 0;
  if (file == NULL) return NULL;
  for (;;) {
    char* larger = realloc(bytes, *size + 65536);
    size_t count;
    if (larger == NULL) break;
    bytes = larger;
    count = fread(bytes + *size, 1, 65536, file);
    *size += count;
    if (count == 0) break;
  }
  fclose(file);
  return bytes;
}

static sotto_ledger* open_ledger(const char* path, const char* budget) {
  sotto_ledger_options options = {0};
  sotto_ledger* ledger = NULL;
  options.struct_size = sizeof options;
  options.path = path;
  options.epsilon = budget;
  sotto_ledger_open(&options, &ledger);
  return ledger;
}

/* Prints the report; everything is freed by the caller. */
static int release_record(const sotto_release* release, sotto_ledger* ledger, size_t length) {
  const size_t size = sotto_release_report_size(release, SOTTO_NDJSON);
  float* record = calloc(length, sizeof *record);
  char* report = malloc(size);
  sotto_status status = SOTTO_IO;
  size_t i;
  if (record != NULL && report != NULL) {
    for (i = 0; i < length; ++i)
      if (scanf("%f", &record[i]) != 1) fprintf(stderr, "value %lu is missing, 0 is used\n", (unsigned long)i + 1);
    status = ledger == NULL ? sotto_privatize(release, record, length, NULL, 0, SOTTO_NDJSON, report, size)
                            : sotto_ledger_privatize(ledger, release, record, length, NULL, SOTTO_NDJSON, report, size);
    if (status == SOTTO_OK && fwrite(report, 1, size, stdout) != size) status = SOTTO_IO;
  }
  free(record);
  free(report);
  return status == SOTTO_OK ? 0 : failed("no report");
}

int main(int argc, char** argv) {
  sotto_mechanism* mechanism = NULL;
  sotto_release* release = NULL;
  sotto_ledger* ledger = NULL;
  sotto_release_options options = {0};
  size_t size;
  void* bytes;
  int result = 1;
  if (argc != 3 && argc != 5) {
    fprintf(stderr, "usage: %s MECHANISM.sotto EPSILON [LEDGER BUDGET] < record\n", argv[0]);
    return 2;
  }
  bytes = read_file(argv[1], &size);
  options.struct_size = sizeof options;
  options.epsilon = argv[2]; /* as text, exactly: there is no default */
  if (sotto_mechanism_load(bytes, size, &mechanism) != SOTTO_OK) {
    failed(argv[1]);
  } else if (sotto_release_open(mechanism, &options, &release) != SOTTO_OK) {
    failed("release");
  } else if (argc == 5 && (ledger = open_ledger(argv[3], argv[4])) == NULL) {
    failed("ledger");
  } else {
    fprintf(stderr, "The mechanism:\n%s", sotto_mechanism_description(mechanism));
    fprintf(stderr, "What leaves this device:\n%s", sotto_release_description(release));
    result = release_record(release, ledger, sotto_mechanism_record_length(mechanism));
  }
  sotto_ledger_free(ledger);
  sotto_release_free(release);
  sotto_mechanism_free(mechanism);
  free(bytes);
  return result;
}
