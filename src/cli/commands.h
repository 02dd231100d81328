/* commands: one function a command. argv[0] is the command's own name; each returns the exit status. */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

int cmd_occupancy(int argc, char **argv);

#endif
