/*
 * triton_cache: the folder in which Triton, and torch.compile through it, keeps what it compiled. NAME.json is the
 * metadata of NAME.cubin: the number of warps, of CTAs per cluster and of stages, and dynamic shared memory, which the
 * cubin does not state. Folder names are hashes, which state nothing about the kernel.
 *
 * One kernel of the source is compiled for many configurations (autotuning). The name of the record contains what
 * distinguishes them on every machine: "matmul_kernel [num_warps=4, num_stages=3]". Block sizes of tiles and other
 * constants are not in the metadata: records that differ only in these have the same name, and comparisons treat them
 * as a multiset.
 *
 * The folder belongs to another program: links are not followed, and nothing is written.
 */
#pragma once

#include "base/file.h"
#include "log/model.h"

struct triton_entry {
    struct str stem; /* the path without .json and .cubin; first member, so that str_order can sort entries */
    bool has_metadata, has_cubin, has_ptx;
};

struct triton_entries {
    struct arena arena;
    struct triton_entry *items; /* sorted by stem */
    size_t count, cap;
};

struct triton_metadata {
    struct str name; /* name of the cubin's kernel */
    int64_t arch;    /* 90; 0: not stated */
    int64_t warp_size, num_warps, num_ctas, num_stages;
    int64_t maxnreg; /* 0: none */
    int64_t shared;  /* dynamic shared memory per block, bytes */
};

/* Lists the entries of the cache below the folder; no entries if it is not such a cache. False with a diagnostic if a
 * folder cannot be read. */
bool triton_cache_list(struct str folder, struct triton_entries *entries, struct diags *diags);
void triton_entries_free(struct triton_entries *entries);

/* Reads the text of NAME.json. Returns NULL, or why it describes no kernel for an NVIDIA GPU, in words as below. The
 * name is in the arena. */
const char *triton_metadata_read(struct arena *arena, struct str text, struct triton_metadata *metadata);

/* Adds the records of the entry's cubin to the model. Returns NULL, or why the entry cannot be judged, in words that
 * follow the path; in that case nothing is added. Texts are in the arena of the entries. */
const char *triton_entry_read(struct triton_entries *entries, const struct triton_entry *entry, struct model *model,
                              struct triton_metadata *metadata);

/* Copies the metadata to the records from index `first` on, and sets their names. */
void triton_metadata_give(const struct triton_metadata *metadata, struct model *model, size_t first);
