/* Loaded before the C library: kills the processes of a group, or fills the disk, at a chosen write to a chosen folder.
 *
 * A write point has a name: what the file is, and what is done to it, such as states.write, checkpoint.rename or
 * folder.sync. `faults_arm` chooses the point, which occurrence of it counts, and the deed, and so does the environment
 * variable SCRIMP_FAULT, for the process that searches:
 *
 *     kill    the process dies before the call
 *     after   the process dies after the call
 *     torn    the process dies when half of the bytes are written
 *     power   the machine dies before the call: bytes and names that were not synced are lost
 *     full    from here on the disk is full
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

enum { most_files = 64 };

static char folder[4096], point[64], deed[16];
static long left = -1;
static int is_full, is_armed;
static long met[64];
static const char *names[64];
static struct { char path[4352]; off_t synced; } files[most_files];
static struct { char from[4352], to[4352]; } renames[most_files];
static int file_count, rename_count;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static int (*real_fsync)(int);
static int (*real_rename)(const char *, const char *);
static int (*real_unlink)(const char *);

void faults_arm(const char *in, const char *at, long count, const char *what);

__attribute__((constructor)) static void find(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_rename = dlsym(RTLD_NEXT, "rename");
  real_unlink = dlsym(RTLD_NEXT, "unlink");
  char at[64], what[16], in[4096];
  long count;
  const char *chosen = getenv("SCRIMP_FAULT");
  if (chosen && sscanf(chosen, "%63s %ld %15s %4095[^\n]", at, &count, what, in) == 4) faults_arm(in, at, count, what);
}

void faults_arm(const char *in, const char *at, long count, const char *what) {
  snprintf(folder, sizeof folder, "%s", in);
  snprintf(point, sizeof point, "%s", at);
  snprintf(deed, sizeof deed, "%s", what);
  left = count;
  is_full = 0;
  is_armed = 1;
}

/* How often each point was met, as lines. */
void faults_report(const char *path) {
  FILE *file = fopen(path, "w");
  for (int i = 0; i < 64 && names[i]; ++i) fprintf(file, "%s %ld\n", names[i], met[i]);
  fclose(file);
}

static int is_inside(const char *path) {
  const size_t length = strlen(folder);
  return is_armed && length != 0 && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int path_of(int fd, char *path, size_t size) {
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  const ssize_t length = readlink(link, path, size - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_inside(path);
}

static const char *kind_of(const char *path) {
  const char *name = path + strlen(folder);
  if (*name == 0) return "folder";
  if (strncmp(name, "/checkpoint-", 12) == 0) return "checkpoint";
  if (strncmp(name, "/states-", 8) == 0) return "states";
  return "search";
}

static off_t *synced_of(const char *path) {
  for (int i = 0; i < file_count; ++i)
    if (strcmp(files[i].path, path) == 0) return &files[i].synced;
  if (file_count == most_files) file_count = 0;
  struct stat status;
  snprintf(files[file_count].path, sizeof files[0].path, "%s", path);
  files[file_count].synced = stat(path, &status) == 0 ? status.st_size : 0;
  return &files[file_count++].synced;
}

static void die(void) {
  kill(0, SIGKILL);
  for (;;) pause();
}

static void lose_power(void) {
  for (int i = rename_count; i-- > 0;) real_rename(renames[i].to, renames[i].from);
  for (int i = 0; i < file_count; ++i) {
    struct stat status;
    if (stat(files[i].path, &status) == 0 && status.st_size > files[i].synced)
      if (truncate(files[i].path, files[i].synced) != 0) abort();
  }
  die();
}

/* Whether this is the moment. */
static int meet(const char *path, const char *call) {
  char name[64];
  snprintf(name, sizeof name, "%s.%s", kind_of(path), call);
  int i = 0;
  while (i < 63 && names[i] && strcmp(names[i], name) != 0) ++i;
  if (!names[i]) names[i] = strdup(name);
  ++met[i];
  if (strcmp(name, point) != 0 || left < 0 || left-- != 0) return 0;
  if (strcmp(deed, "kill") == 0) die();
  if (strcmp(deed, "power") == 0) lose_power();
  if (strcmp(deed, "full") == 0) is_full = 1;
  return 1;
}

static ssize_t faulty_write(int fd, const void *bytes, size_t count, off_t place, int has_place) {
  char path[4352];
  const int inside = is_armed && path_of(fd, path, sizeof path);
  const int now = inside && meet(path, "write");
  if (inside) synced_of(path);
  if (inside && is_full) {
    errno = ENOSPC;
    return -1;
  }
  const size_t wanted = now && strcmp(deed, "torn") == 0 ? count / 2 : count;
  const ssize_t written = has_place ? real_pwrite(fd, bytes, wanted, place) : real_write(fd, bytes, wanted);
  if (now) die();
  return written;
}

ssize_t write(int fd, const void *bytes, size_t count) { return faulty_write(fd, bytes, count, 0, 0); }
ssize_t pwrite(int fd, const void *bytes, size_t count, off_t place) {
  return faulty_write(fd, bytes, count, place, 1);
}
ssize_t pwrite64(int fd, const void *bytes, size_t count, off_t place) {
  return faulty_write(fd, bytes, count, place, 1);
}

int fsync(int fd) {
  char path[4352];
  const int inside = is_armed && path_of(fd, path, sizeof path);
  const int now = inside && meet(path, "sync");
  if (inside && is_full) {
    errno = ENOSPC;
    return -1;
  }
  const int result = real_fsync(fd);
  if (inside) {
    struct stat status;
    if (strcmp(path, folder) == 0)
      rename_count = 0;
    else if (fstat(fd, &status) == 0)
      *synced_of(path) = status.st_size;
  }
  if (now) die();
  return result;
}

int rename(const char *from, const char *to) {
  const int inside = is_armed && is_inside(from);
  const int now = inside && meet(from, "rename");
  const int result = real_rename(from, to);
  if (inside && result == 0) {
    if (rename_count < most_files) {
      snprintf(renames[rename_count].from, sizeof renames[0].from, "%s", from);
      snprintf(renames[rename_count++].to, sizeof renames[0].to, "%s", to);
    }
    for (int i = 0; i < file_count; ++i)
      if (strcmp(files[i].path, from) == 0) snprintf(files[i].path, sizeof files[0].path, "%s", to);
  }
  if (now) die();
  return result;
}

int unlink(const char *path) {
  const int now = is_armed && is_inside(path) && meet(path, "remove");
  const int result = real_unlink(path);
  if (now) die();
  return result;
}
