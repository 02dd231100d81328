#include "nvcc/flow_graph.h"

#include "base/mem.h"

#include <stdlib.h>

/*
 * Blocks are numbered by address. One more block, the last, is the root, from which control reaches all entries. A
 * depth-first search assigns a second number to each block. A loop has a header: a block to which some block below it
 * in the search tree leads back. The loop consists of the header and of all blocks below it from which control can
 * reach the header without leaving the blocks below it (Havlak 1997). If every way into a loop leads through its
 * header, as in nearly all code, these are the natural loops.
 */
enum { NONE = UINT32_MAX, WORK_PER_BLOCK = 256 };

struct edge {
    uint32_t from, to;
};

/* For each block its successors, or its predecessors: items[first[block]] up to items[first[block + 1]]. */
struct neighbours {
    uint32_t *first, *items;
};

struct graph {
    const struct flow_input *input;
    struct arena *arena; /* owns everything but the edges */
    uint32_t *starts;    /* start address of each block */
    uint32_t count;      /* number of blocks, without the root */
    struct edge *edges;
    size_t edge_count, edge_cap;
    struct neighbours next, previous;
    uint32_t *number; /* number of each block in the search; NONE: not reached */
    uint32_t *block;  /* block of each number */
    uint32_t reached;
    uint32_t *parent; /* by number: number of the parent in the search tree */
    uint32_t *last;   /* by number: the highest number in its subtree of the search tree */
    uint64_t work;    /* steps that may still be taken */
};

/* ---- blocks ------------------------------------------------------------------------------------------------------ */

static int by_value(const void *a, const void *b)
{
    return number_cmp(*(const uint32_t *)a, *(const uint32_t *)b);
}

/* The address of the first instruction at or after `at`: sm_50 to sm_62 have a control word every 32 bytes. */
static uint32_t instruction_at(const struct flow_input *input, uint32_t at)
{
    const uint32_t step = input->instruction_bytes;
    at = (at + step - 1) / step * step;
    return step == 8 && at % 32 == 0 ? at + 8 : at;
}

static bool ends_block(const struct sass_instruction *instruction)
{
    switch (instruction->kind) {
    case SASS_BRANCH:
    case SASS_INDIRECT:
    case SASS_SYNC:
    case SASS_EXIT:
    case SASS_RETURN: return true;
    default: return false;
    }
}

static void find_blocks(struct graph *graph)
{
    const struct flow_input *input = graph->input;
    const struct sass_code *code = input->code;
    size_t most = 2 * code->count + input->entry_count + input->indirect.count + 1;
    uint32_t *starts = arena_alloc(graph->arena, most * sizeof *starts);
    size_t count = 1; /* a block starts at 0 */
    for (size_t at = 0; at < code->count; at++) {
        const struct sass_instruction *instruction = &code->items[at];
        if (ends_block(instruction))
            starts[count++] = instruction->at + input->instruction_bytes;
        if (instruction->target != SASS_NO_TARGET)
            starts[count++] = instruction->target;
    }
    for (size_t at = 0; at < input->entry_count; at++)
        starts[count++] = input->entries[at];
    for (size_t at = 0; at < input->indirect.count; at++)
        starts[count++] = input->indirect.items[at].target;
    for (size_t at = 0; at < count; at++)
        starts[at] = starts[at] < input->code_bytes ? instruction_at(input, starts[at]) : input->code_bytes;
    mem_sort(starts, count, sizeof *starts, by_value);
    for (size_t at = 0; at < count; at++)
        if (starts[at] < input->code_bytes && (graph->count == 0 || starts[graph->count - 1] != starts[at]))
            starts[graph->count++] = starts[at];
    graph->starts = starts;
}

/* The block that contains the address; NONE if the address is outside the code. */
static uint32_t block_of(const struct graph *graph, uint32_t at)
{
    if (at >= graph->input->code_bytes || graph->count == 0)
        return NONE;
    size_t next = 0;
    MEM_FIND(next, graph->count, graph->starts[next] <= at);
    return (uint32_t)next - 1; /* a block starts at 0 */
}

/* ---- edges ------------------------------------------------------------------------------------------------------- */

static void add_edge(struct graph *graph, uint32_t from, uint32_t to)
{
    if (to != NONE && from != NONE)
        *MEM_ADD(graph->edges, graph->edge_count, graph->edge_cap) = (struct edge){from, to};
}

static void add_jump(struct graph *graph, uint32_t from, uint32_t address)
{
    if (address < graph->input->code_bytes)
        add_edge(graph, from, block_of(graph, instruction_at(graph->input, address)));
}

static void add_indirect(struct graph *graph, uint32_t from, uint32_t branch)
{
    const struct flow_input *input = graph->input;
    size_t at = 0;
    MEM_FIND(at, input->indirect.count, input->indirect.items[at].branch < branch);
    for (; at < input->indirect.count && input->indirect.items[at].branch == branch; at++)
        add_jump(graph, from, input->indirect.items[at].target);
}

static bool spend(struct graph *graph, uint64_t steps)
{
    if (graph->work < steps)
        return false;
    graph->work -= steps;
    return true;
}

/*
 * Finds the push that determines the target of a sync: the last push of the same barrier whose region contains the
 * sync. NULL: the sync continues at the next block. From sm_70 on, code with too few barriers moves them to registers
 * and back to other barriers (BMOV). There, a push of any barrier whose target is the instruction after the sync takes
 * precedence, because ptxas places the target there.
 */
static const struct sass_instruction *push_of(struct graph *graph, size_t sync)
{
    const struct flow_input *input = graph->input;
    const struct sass_instruction *items = input->code->items, *found = NULL;
    const uint32_t next = items[sync].at + input->instruction_bytes;
    const bool moves_barriers = input->instruction_bytes != 8;
    for (size_t at = sync; at-- > 0 && spend(graph, 1);) {
        const struct sass_instruction *item = &items[at];
        if (item->kind != SASS_PUSH || item->target == SASS_NO_TARGET || item->target < items[sync].at)
            continue;
        if (item->target == next && moves_barriers)
            return item;
        if (item->barrier == items[sync].barrier && !found)
            found = item;
        if (found && !moves_barriers)
            return found;
    }
    return found;
}

/* Adds the edges of a block that ends with this instruction. */
static void add_edges_of(struct graph *graph, uint32_t block, size_t last)
{
    const struct sass_instruction *instruction = &graph->input->code->items[last];
    const struct sass_instruction *push;
    bool falls_through = instruction->conditional;
    switch (instruction->kind) {
    case SASS_BRANCH: add_jump(graph, block, instruction->target); break;
    case SASS_INDIRECT: add_indirect(graph, block, instruction->at); break;
    case SASS_SYNC:
        push = push_of(graph, last);
        if (push)
            add_jump(graph, block, push->target);
        else
            falls_through = true;
        break;
    default: break;
    }
    if (falls_through && block + 1 < graph->count)
        add_edge(graph, block, block + 1);
}

static void find_edges(struct graph *graph)
{
    const struct sass_code *code = graph->input->code;
    size_t at = 0;
    for (uint32_t block = 0; block < graph->count; block++) {
        uint32_t end = block + 1 < graph->count ? graph->starts[block + 1] : graph->input->code_bytes;
        size_t last = SIZE_MAX;
        for (; at < code->count && code->items[at].at < end; at++)
            last = ends_block(&code->items[at]) ? at : SIZE_MAX;
        if (last != SIZE_MAX)
            add_edges_of(graph, block, last);
        else if (block + 1 < graph->count)
            add_edge(graph, block, block + 1);
    }
    const uint32_t root = graph->count;
    add_edge(graph, root, 0);
    for (size_t entry = 0; entry < graph->input->entry_count; entry++)
        add_jump(graph, root, graph->input->entries[entry]);
    for (size_t call = 0; call < code->count; call++)
        if (code->items[call].kind == SASS_CALL)
            add_jump(graph, root, code->items[call].target);
}

static struct neighbours neighbours_of(const struct graph *graph, bool next)
{
    const uint32_t nodes = graph->count + 1;
    struct neighbours list = {arena_alloc(graph->arena, (nodes + 1) * sizeof *list.first),
                              arena_alloc(graph->arena, (graph->edge_count + 1) * sizeof *list.items)};
    for (size_t at = 0; at < graph->edge_count; at++)
        list.first[next ? graph->edges[at].from : graph->edges[at].to]++;
    for (uint32_t node = 0, before = 0; node <= nodes; node++) {
        before += node < nodes ? list.first[node] : 0;
        list.first[node] = before;
    }
    for (size_t at = graph->edge_count; at-- > 0;) {
        const struct edge *edge = &graph->edges[at];
        list.items[--list.first[next ? edge->from : edge->to]] = next ? edge->to : edge->from;
    }
    return list;
}

/* ---- search ----------------------------------------------------------------------------------------------------- */

/* Numbers the blocks in the order in which a depth-first search from the root reaches them. */
static void search(struct graph *graph)
{
    const uint32_t nodes = graph->count + 1;
    uint32_t *stack = arena_alloc(graph->arena, nodes * sizeof *stack);
    uint32_t *at = arena_alloc(graph->arena, nodes * sizeof *at), depth = 0;
    for (uint32_t node = 0; node < nodes; node++) {
        graph->number[node] = NONE;
        at[node] = graph->next.first[node];
    }
    stack[depth++] = graph->count;
    graph->number[graph->count] = 0;
    graph->block[graph->reached++] = graph->count;
    while (depth) {
        uint32_t node = stack[depth - 1];
        if (at[node] == graph->next.first[node + 1]) {
            depth--;
            continue;
        }
        uint32_t to = graph->next.items[at[node]++];
        if (graph->number[to] != NONE)
            continue;
        graph->parent[graph->reached] = graph->number[node];
        graph->number[to] = graph->reached;
        graph->block[graph->reached++] = to;
        stack[depth++] = to;
    }
}

static void find_last(struct graph *graph)
{
    for (uint32_t node = 0; node < graph->reached; node++)
        graph->last[node] = node;
    for (uint32_t node = graph->reached; --node > 0;)
        if (graph->last[graph->parent[node]] < graph->last[node])
            graph->last[graph->parent[node]] = graph->last[node];
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

struct body {
    uint32_t *seen;  /* by number: header of the last loop in which the block was found; NONE */
    uint32_t *stack; /* blocks whose predecessors still have to be followed */
    uint32_t waiting;
};

/* Adds the predecessors of this block that belong to the loop and were not found in it yet. */
static void find_previous(const struct graph *graph, struct body *body, uint32_t header, uint32_t block)
{
    for (uint32_t at = graph->previous.first[block]; at < graph->previous.first[block + 1]; at++) {
        uint32_t from = graph->number[graph->previous.items[at]];
        const bool is_below = from != NONE && from >= header && from <= graph->last[header]; /* or the header itself */
        if (!is_below || body->seen[from] == header)
            continue;
        body->seen[from] = header;
        body->stack[body->waiting++] = from;
    }
}

/* Adds 1 to the depth of each block of the loop. Following predecessors backwards ends at the header. */
static bool count_loop(struct graph *graph, struct body *body, uint32_t header, uint16_t *depth)
{
    find_previous(graph, body, header, graph->block[header]);
    while (body->waiting) {
        uint32_t block = graph->block[body->stack[--body->waiting]];
        depth[block] = depth[block] < UINT16_MAX ? (uint16_t)(depth[block] + 1) : depth[block];
        find_previous(graph, body, header, block);
        if (!spend(graph, 1 + graph->previous.first[block + 1] - graph->previous.first[block]))
            return false;
    }
    return true;
}

static bool count_loops(struct graph *graph, uint16_t *depth)
{
    struct body body = {.seen = arena_alloc(graph->arena, (size_t)graph->reached * sizeof *body.seen),
                        .stack = arena_alloc(graph->arena, (size_t)graph->reached * sizeof *body.stack)};
    for (uint32_t node = 0; node < graph->reached; node++)
        body.seen[node] = NONE;
    for (uint32_t header = 1; header < graph->reached; header++)
        if (!count_loop(graph, &body, header, depth))
            return false;
    return true;
}

static bool depths_of_blocks(struct graph *graph, uint16_t *depth)
{
    const size_t nodes = (size_t)graph->count + 1;
    graph->work = (nodes + 16) * WORK_PER_BLOCK;
    find_edges(graph);
    graph->next = neighbours_of(graph, true);
    graph->previous = neighbours_of(graph, false);
    graph->number = arena_alloc(graph->arena, 4 * nodes * sizeof *graph->number);
    graph->block = graph->number + nodes;
    graph->parent = graph->block + nodes;
    graph->last = graph->parent + nodes;
    search(graph);
    find_last(graph);
    return count_loops(graph, depth) && graph->work > 0;
}

enum unlocated flow_loop_depths(const struct flow_input *input, uint16_t *depth)
{
    SCOPED(arena) arena = {0};
    struct graph graph = {.input = input, .arena = &arena};
    find_blocks(&graph);
    uint16_t *of_block = arena_alloc(&arena, ((size_t)graph.count + 1) * sizeof *of_block);
    enum unlocated result = depths_of_blocks(&graph, of_block) ? LOCATED : UNLOCATED_LOOPS;
    for (size_t at = 0; result == LOCATED && at < input->code->count; at++) {
        const struct sass_instruction *instruction = &input->code->items[at];
        const uint32_t block = block_of(&graph, instruction->at);
        const bool reached = block != NONE && graph.number[block] != NONE;
        depth[at] = reached ? of_block[block] : 0;
        if (!reached && sass_is_local_access(instruction))
            result = UNLOCATED_UNREACHED;
    }
    free(graph.edges);
    return result;
}
