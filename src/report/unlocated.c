#include "report/unlocated.h"

const struct unlocated_text unlocated_texts[UNLOCATED_COUNT] = {
    [LOCATED] = {"", ""},
    [UNLOCATED_NO_CODE] = {"no machine code was read", "give the log and the binaries of its build"},
    [UNLOCATED_OTHER_BUILD] = {"the binary is of another build than the log",
                               "give the log and the binaries of one build"},
    [UNLOCATED_NOT_DECODED] = {"the machine code is not decoded: it is broken, or of an architecture outside of sm_60 "
                               "to sm_121",
                               "compile again, or for a newer architecture"},
    [UNLOCATED_SUMS] = {"no loads and stores of the machine code add up to the bytes of spills that ptxas states",
                        "give the log and the binaries of one build; code that the linker changed does not add up"},
    [UNLOCATED_NO_LINES] = {"the machine code has no line information, or none that can be read",
                            "compile with -lineinfo, which does not change the code, or under "
                            "`warplint wrap --where=always`"},
    [UNLOCATED_NO_NUMBERS] = {"a binary does not say which accesses to local memory are spills",
                              "give the log of its build too, or --assemble where NAME.ptx is beside NAME.cubin"},
};
