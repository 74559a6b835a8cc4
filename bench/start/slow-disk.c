// Loaded into PostgreSQL's processes: a flush takes FLUSH_US microseconds, whatever the disk.
#include <stdlib.h>
#include <time.h>

static int wait_for_flush(void) {
  static long microseconds = -1;
  if (microseconds < 0) {
    const char *text = getenv("FLUSH_US");
    microseconds = text ? atol(text) : 0;
  }
  struct timespec time = {microseconds / 1000000, microseconds % 1000000 * 1000};
  nanosleep(&time, NULL);
  return 0;
}

int fsync(int file) { (void)file; return wait_for_flush(); }
int fdatasync(int file) { (void)file; return wait_for_flush(); }
