// A disk that fails on request, for one process: loaded with LD_PRELOAD, it sits between the program and libc.
// Every call that changes something below FAULTY_DISK_FOLDER is counted; the call that FAULTY_DISK_CONTROL names
// fails, is cut, is delayed or kills the process. With FAULTY_DISK_LOG each change is recorded with its bytes.
#include "faulty-disk.h"

static int open_at(int at, const char *given, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  const char *path = flags & (O_CREAT | O_TRUNC) ? path_at(at, given, buffer) : NULL;
  if (!watched(path)) return REAL(openat)(at, given, flags, mode);
  int exists = access(path, F_OK) == 0;
  if (exists && !(flags & O_TRUNC)) return REAL(openat)(at, given, flags, mode);
  return WHOLE(exists ? TRUNCATE : CREATE, path, NULL, 0, REAL(openat)(at, given, flags, mode));
}

#define OPEN(name)                                                               \
  int name(const char *path, int flags, ...) {                                   \
    va_list rest;                                                                \
    va_start(rest, flags);                                                       \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;      \
    va_end(rest);                                                                \
    return open_at(AT_FDCWD, path, flags, mode);                                 \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                             \
  int name(int at, const char *path, int flags, ...) {                           \
    va_list rest;                                                                \
    va_start(rest, flags);                                                       \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;      \
    va_end(rest);                                                                \
    return open_at(at, path, flags, mode);                                       \
  }
OPENAT(openat)
OPENAT(openat64)

ssize_t write(int fd, const void *data, size_t length) {
  char buffer[PATH_MAX];
  const char *path = path_of(fd, buffer);
  if (!watched(path)) return REAL(write)(fd, data, length);
  return write_out(fd, path, data, length, -1);
}

#define PWRITE(name, offset_type)                                                \
  ssize_t name(int fd, const void *data, size_t length, offset_type offset) {    \
    char buffer[PATH_MAX];                                                       \
    const char *path = path_of(fd, buffer);                                      \
    if (!watched(path)) return REAL(name)(fd, data, length, offset);             \
    return write_out(fd, path, data, length, offset);                            \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

static ssize_t write_parts(int fd, const char *path, const struct iovec *parts, int count, off_t offset) {
  size_t length = 0, at = 0;
  for (int i = 0; i < count; i++) length += parts[i].iov_len;
  char *joined = malloc(length + 1);
  for (int i = 0; i < count; at += parts[i++].iov_len) memcpy(joined + at, parts[i].iov_base, parts[i].iov_len);
  ssize_t result = write_out(fd, path, joined, length, offset);
  int error = errno;
  free(joined);
  errno = error;
  return result;
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  char buffer[PATH_MAX];
  const char *path = path_of(fd, buffer);
  if (!watched(path)) return REAL(writev)(fd, parts, count);
  return write_parts(fd, path, parts, count, -1);
}

#define PWRITEV(name, offset_type)                                               \
  ssize_t name(int fd, const struct iovec *parts, int count, offset_type offset) { \
    char buffer[PATH_MAX];                                                       \
    const char *path = path_of(fd, buffer);                                      \
    if (!watched(path)) return REAL(name)(fd, parts, count, offset);             \
    return write_parts(fd, path, parts, count, offset);                          \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

#define ON_FD(name, kind, offset, declared, ...)                                 \
  int name declared {                                                            \
    char buffer[PATH_MAX];                                                       \
    const char *path = path_of(fd, buffer);                                      \
    if (!watched(path)) return REAL(name)(__VA_ARGS__);                          \
    return WHOLE(kind, path, NULL, offset, REAL(name)(__VA_ARGS__));             \
  }
ON_FD(fsync, SYNC, 0, (int fd), fd)
ON_FD(fdatasync, SYNC, 0, (int fd), fd)
ON_FD(ftruncate, TRUNCATE, length, (int fd, off_t length), fd, length)
ON_FD(ftruncate64, TRUNCATE, length, (int fd, off64_t length), fd, length)

#define ON_PATH(name, kind, offset, declared, ...)                               \
  int name declared {                                                            \
    char buffer[PATH_MAX];                                                       \
    const char *full = path_at(AT_FDCWD, path, buffer);                          \
    if (!watched(full)) return REAL(name)(__VA_ARGS__);                          \
    return WHOLE(kind, full, NULL, offset, REAL(name)(__VA_ARGS__));             \
  }
ON_PATH(unlink, UNLINK, 0, (const char *path), path)
ON_PATH(rmdir, RMDIR, 0, (const char *path), path)
ON_PATH(mkdir, MKDIR, 0, (const char *path, mode_t mode), path, mode)
ON_PATH(truncate, TRUNCATE, length, (const char *path, off_t length), path, length)

int unlinkat(int at, const char *path, int flags) {
  char buffer[PATH_MAX];
  const char *full = path_at(at, path, buffer);
  if (!watched(full)) return REAL(unlinkat)(at, path, flags);
  return WHOLE(flags & AT_REMOVEDIR ? RMDIR : UNLINK, full, NULL, 0, REAL(unlinkat)(at, path, flags));
}

int remove(const char *path) {
  struct stat found;
  return lstat(path, &found) == 0 && S_ISDIR(found.st_mode) ? rmdir(path) : unlink(path);
}

#define ON_TWO(name, kind, from_at, to_at, declared, ...)                        \
  int name declared {                                                            \
    char here[PATH_MAX], there[PATH_MAX];                                        \
    const char *source = path_at(from_at, from, here), *target = path_at(to_at, to, there); \
    if (!watched(source) && !watched(target)) return REAL(name)(__VA_ARGS__);    \
    return WHOLE(kind, source, target, 0, REAL(name)(__VA_ARGS__));              \
  }
ON_TWO(rename, RENAME, AT_FDCWD, AT_FDCWD, (const char *from, const char *to), from, to)
ON_TWO(renameat, RENAME, a, b, (int a, const char *from, int b, const char *to), a, from, b, to)
ON_TWO(renameat2, RENAME, a, b, (int a, const char *from, int b, const char *to, unsigned flags), a, from, b, to, flags)
ON_TWO(link, LINK, AT_FDCWD, AT_FDCWD, (const char *from, const char *to), from, to)

// Copies inside the kernel: refused, as by a file system that cannot do it, so that they become writes.
ssize_t copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t length, unsigned flags) {
  char buffer[PATH_MAX];
  if (!watched(path_of(out, buffer))) return REAL(copy_file_range)(in, from, out, to, length, flags);
  errno = EXDEV;
  return -1;
}

#define SENDFILE(name, offset_type)                                              \
  ssize_t name(int out, int in, offset_type *offset, size_t length) {            \
    char buffer[PATH_MAX];                                                       \
    if (!watched(path_of(out, buffer))) return REAL(name)(out, in, offset, length); \
    errno = EINVAL;                                                              \
    return -1;                                                                   \
  }
ssize_t sendfile(int out, int in, off_t *offset, size_t length);
ssize_t sendfile64(int out, int in, off64_t *offset, size_t length);
SENDFILE(sendfile, off_t)
SENDFILE(sendfile64, off64_t)

// libuv asks the kernel directly for some calls, and for copies inside it.
long syscall(long number, ...) {
  long a[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(rest, long);
  va_end(rest);
  if (number == SYS_copy_file_range)
    return copy_file_range(a[0], (off64_t *)a[1], a[2], (off64_t *)a[3], a[4], a[5]);
  return REAL(syscall)(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
