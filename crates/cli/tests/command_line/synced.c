/* A library that is loaded before the C library (LD_PRELOAD), to try what a power failure leaves.
 *
 * Whenever a file in the folder WATCHED was synced, its content is copied to the folder KEPT; whenever the folder was synced, what
 * was removed from it is removed there too. After the process was killed, KEPT holds what was synced and nothing else, as a disk
 * would that loses all that was not. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int copy(const char *from, const char *to, const char *kept)
{
    char part[PATH_MAX + 32], buffer[1 << 16];
    snprintf(part, sizeof part, "%s.%d", kept, gettid());
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ssize_t length = -1;
    if (in >= 0 && out >= 0)
        while ((length = read(in, buffer, sizeof buffer)) > 0)
            if (write(out, buffer, length) != length)
                break;
    close(in);
    close(out);
    return length == 0 && rename(part, to) == 0;
}

/* Removes from one folder what is not in another. */
static void remove_missing(const char *kept, const char *watched)
{
    char here[PATH_MAX], there[PATH_MAX];
    DIR *folder = opendir(kept);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        snprintf(here, sizeof here, "%s/%s", kept, entry->d_name);
        snprintf(there, sizeof there, "%s/%s", watched, entry->d_name);
        if (entry->d_name[0] != '.' && access(there, F_OK) != 0)
            unlink(here);
    }
    if (folder)
        closedir(folder);
}

/* Keeps the content of a file that was synced. A file that cannot be kept would make the test blind, so the process ends. */
static void keep(int file)
{
    const char *watched = getenv("WATCHED"), *kept = getenv("KEPT");
    char link[64], path[PATH_MAX], target[PATH_MAX];
    struct stat about;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!watched || !kept || length < 0 || fstat(file, &about) != 0)
        return;
    path[length] = 0;
    if (S_ISDIR(about.st_mode)) {
        if (strcmp(path, watched) == 0)
            remove_missing(kept, watched);
        return;
    }
    size_t prefix = strlen(watched);
    if (strncmp(path, watched, prefix) != 0 || path[prefix] != '/' || strchr(path + prefix + 1, '/'))
        return;
    snprintf(target, sizeof target, "%s%s", kept, path + prefix);
    if (!copy(link, target, kept))
        abort();
}

static int sync_by(const char *name, int file)
{
    int (*sync_file)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    int result = sync_file(file);
    if (result == 0)
        keep(file);
    return result;
}

int fsync(int file)
{
    return sync_by("fsync", file);
}

int fdatasync(int file)
{
    return sync_by("fdatasync", file);
}
