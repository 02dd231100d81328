/*
 * profile: the launches that a profiler recorded: block and grid sizes, dynamic shared memory, registers. It reads the
 * CSV of Nsight Compute (`ncu --csv`, the details and the raw page), of Nsight Systems (cuda_gpu_trace,
 * cuda_gpu_kern_gb_sum) and of nvprof (--print-gpu-trace --csv). Lines before the table (output of the program,
 * progress of the profiler) are skipped.
 */
#pragma once

#include "base/diag.h"
#include "base/mem.h"

/* One kind of launch of one kernel, with its number of launches. */
struct profile_launch {
    struct str name;            /* as the profiler printed it: readable or mangled */
    int64_t threads;            /* per block; 1 or more */
    int64_t grid;               /* blocks; 0: not stated */
    int64_t dynamic_smem_bytes; /* per block; -1: not stated. For a rounded number see roundest() */
    int64_t registers;          /* per thread; 0: not stated */
    int32_t sms;                /* of the device; 0: not stated */
    int32_t compute_capability; /* of the device, 80 for 8.0; 0: not stated */
    float achieved_occupancy;   /* 0..1, the mean of these launches; -1: not stated */
    uint64_t count;
    size_t line; /* of the first of these launches in the file */
};

struct profile {
    struct str path;                 /* of the file; empty: several files */
    struct profile_launch *launches; /* sorted by name, then the most frequent first */
    size_t count, cap;
    uint64_t seen; /* number of all launches */
    struct arena arena;
};

/* Adds the launches of a file to the profile. False with diagnostics if there is no table, a required column is
 * missing, a number cannot be read, or the file is truncated. */
bool profile_read(struct profile *profile, struct str path, struct diags *diags);
void profile_free(struct profile *profile);

/*
 * Appends the key of a name: the demangled name in the spelling of log/spelling.h, without return type and parameters,
 * so that different spellings of one name have one key. If two functions have one key (overloads), it identifies
 * neither.
 */
void profile_key(struct str name, struct buf *out);
/* The same without template arguments, like the output of `ncu --kernel-name-base function`. */
void profile_short_key(struct str name, struct buf *out);
