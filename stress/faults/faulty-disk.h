// What happens to a call that changes something below the watched folder: it is counted, recorded, and made to fail
// when it is the one that was asked for.
#pragma once
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// The numbers are those of test/faults/disk-control.ts.
enum fault { NONE, FAIL_EIO, FAIL_ENOSPC, TORN, SHORT, DELAY, KILL_BEFORE, KILL_MIDDLE, KILL_AFTER };
enum kind { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, LINK, UNLINK, MKDIR, RMDIR };

// Shared with the test that drives the process, so that the counts outlive a kill.
struct control {
  volatile uint32_t fault, at, sticky, delay_ms, calls, fired;
};

struct record {
  uint32_t kind, call, path_length, other_length;
  uint64_t offset, data_length;
};

static struct control idle;
static struct control *control = &idle;
static char folder[PATH_MAX];
static size_t folder_length;
static int log_fd = -1;
// A change and its record are one step: the log has the order in which things happened.
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void start(void) {
  const char *watched = getenv("FAULTY_DISK_FOLDER"), *shared = getenv("FAULTY_DISK_CONTROL");
  const char *log = getenv("FAULTY_DISK_LOG");
  if (!watched || !shared) return;
  snprintf(folder, sizeof folder, "%s/", watched);
  int fd = REAL(open)(shared, O_RDWR | O_CLOEXEC);
  void *mapped = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd < 0 || mapped == MAP_FAILED) abort();
  control = mapped;
  if (log) log_fd = REAL(open)(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  folder_length = strlen(folder);
}

// The folder itself counts too: it is synced like the ones below it.
static int watched(const char *path) {
  if (!folder_length || !path) return 0;
  return strncmp(path, folder, folder_length) == 0 ||
         (strlen(path) == folder_length - 1 && strncmp(path, folder, folder_length - 1) == 0);
}

static const char *path_of(int fd, char *buffer) {
  char link[40];
  if (!folder_length) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  if (length <= 0) return NULL;
  buffer[length] = 0;
  return buffer;
}

static const char *path_at(int at, const char *path, char *buffer) {
  if (!path || path[0] == '/' || !folder_length) return path;
  if (at != AT_FDCWD ? !path_of(at, buffer) : !getcwd(buffer, PATH_MAX)) return NULL;
  size_t length = strlen(buffer);
  snprintf(buffer + length, PATH_MAX - length, "/%s", path);
  return buffer;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// A full disk refuses what needs room; it still lets go of things.
static int applies(uint32_t fault, enum kind kind) {
  if (fault == FAIL_ENOSPC) return kind != UNLINK && kind != RMDIR && kind != TRUNCATE;
  if (fault == TORN || fault == SHORT || fault == KILL_MIDDLE) return kind == WRITE;
  return fault != NONE;
}

static uint32_t next_fault(enum kind kind) {
  uint32_t call = ++control->calls, at = control->at, fault = control->fault;
  int due = at && (call == at || (control->sticky && call > at));
  if (!due || !applies(fault, kind)) return NONE;
  control->fired++;
  return fault;
}

static int error_of(uint32_t fault) {
  if (fault == FAIL_EIO) return EIO;
  return fault == FAIL_ENOSPC ? ENOSPC : 0;
}

static void wait_a_little(void) {
  struct timespec pause = {control->delay_ms / 1000, (control->delay_ms % 1000) * 1000000L};
  nanosleep(&pause, NULL);
}

static void note(enum kind kind, const char *path, const char *other, off_t offset, const void *data,
                 size_t length) {
  if (log_fd < 0) return;
  struct record head = {kind,   control->calls, strlen(path), other ? strlen(other) : 0,
                        offset, length};
  struct iovec parts[] = {{&head, sizeof head},
                          {(void *)path, head.path_length},
                          {(void *)other, head.other_length},
                          {(void *)data, length}};
  if (REAL(writev)(log_fd, parts, 4) < 0) abort();
}

// A call that happens whole or not at all.
#define WHOLE(kind, path, other, offset, real)                                   \
  ({                                                                             \
    pthread_mutex_lock(&lock);                                                   \
    uint32_t fault_ = next_fault(kind);                                          \
    int error_ = error_of(fault_);                                               \
    if (fault_ == KILL_BEFORE) die();                                            \
    if (fault_ == DELAY) wait_a_little();                                        \
    long result_ = error_ ? -1 : (long)(real);                                   \
    if (!error_) error_ = errno;                                                 \
    if (result_ >= 0) note(kind, path, other, offset, NULL, 0);                  \
    if (fault_ == KILL_AFTER) die();                                             \
    pthread_mutex_unlock(&lock);                                                 \
    errno = error_;                                                              \
    result_;                                                                     \
  })

static ssize_t put(int fd, const void *data, size_t length, off_t offset) {
  return offset < 0 ? REAL(write)(fd, data, length) : REAL(pwrite64)(fd, data, length, offset);
}

static ssize_t write_out(int fd, const char *path, const void *data, size_t length, off_t offset) {
  pthread_mutex_lock(&lock);
  uint32_t fault = next_fault(WRITE);
  int error = error_of(fault);
  off_t at = offset >= 0 ? offset : lseek(fd, 0, fcntl(fd, F_GETFL) & O_APPEND ? SEEK_END : SEEK_CUR);
  int cut = fault == TORN || fault == KILL_MIDDLE || (fault == SHORT && length > 1);
  if (fault == KILL_BEFORE) die();
  if (fault == DELAY) wait_a_little();
  ssize_t result = error ? -1 : put(fd, data, cut ? length / 2 : length, offset);
  if (!error) error = errno;
  if (result > 0) note(WRITE, path, NULL, at, data, result);
  if (fault == KILL_MIDDLE || fault == KILL_AFTER) die();
  if (fault == TORN) result = -1, error = EIO;
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
