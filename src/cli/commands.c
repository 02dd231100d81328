#include "cli/commands.h"

#include "cli/settings.h"

/* To add a command: its file cmd_<name>.c, its prototype in commands.h, and a row here. */
const struct command_row commands[] = {
    {"check", cmd_check, COMMAND_CHECK, "judge logs: findings, a verdict, an exit status"},
    {"report", cmd_report, COMMAND_REPORT, "show every kernel with its numbers and its occupancy"},
    {"advise", cmd_advise, COMMAND_ADVISE, "what a kernel gives up for more blocks; a table of block sizes"},
    {"baseline", cmd_baseline, COMMAND_BASELINE, "what is known and accepted: write, check, update, prune"},
    {"diff", cmd_diff, COMMAND_DIFF, "compare two builds: what changed, worst first"},
    {"merge", cmd_merge, COMMAND_MERGE, "many records into one stream"},
    {"wrap", cmd_wrap, COMMAND_WRAP, "run the compiler, record, judge"},
    {"tune", cmd_tune, COMMAND_TUNE, "compile at each register cap that buys a block; what each costs"},
    {"doctor", cmd_doctor, COMMAND_DOCTOR, "why there is nothing to judge, or why it cannot be trusted"},
    {"init", cmd_init, COMMAND_INIT, "write a first configuration, and a baseline of a log"},
    {"occupancy", cmd_occupancy, 0, "the occupancy calculator"},
    {"config", cmd_config, COMMAND_CONFIG, "show the configuration in force, each value with its place"},
    {"explain", cmd_explain, COMMAND_EXPLAIN, "the text behind a rule, a field, an architecture"},
    {"list", cmd_list, COMMAND_LIST, "rules, fields, archs, formats, gpus, phrases or causes"},
};
const size_t command_count = sizeof commands / sizeof *commands;
