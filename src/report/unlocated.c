#include "report/unlocated.h"

const struct unlocated_text unlocated_texts[UNLOCATED_COUNT] = {
    [LOCATED] = {"", ""},
    [UNLOCATED_NO_CODE] = {"no machine code was read", "give the log and the binaries of its build"},
    [UNLOCATED_OTHER_BUILD] = {"the binary is of another build than the log",
                               "give the log and the binaries of one build"},
    [UNLOCATED_FORMAT] = {"warplint decodes machine code of sm_60 to sm_121 as CUDA 11 to 13 write it, and this is "
                          "other code",
                          "compile for one of these architectures to see the lines"},
    [UNLOCATED_BROKEN] = {"the machine code is broken", "compile again"},
    [UNLOCATED_LOOPS] = {"the machine code has more loops within loops than are followed",
                         "divide the kernel into smaller ones to see the lines"},
    [UNLOCATED_UNREACHED] = {"the machine code has branches that warplint does not decode, so its loops are not known",
                             "report it with the binary, so that warplint can decode them"},
    [UNLOCATED_COPIES] = {"several kernels have a copy of this function that adds up to its bytes of spills, and the "
                          "copies differ",
                          "give the log and the binary of one source file"},
    [UNLOCATED_SUMS] =
        {"the loads and stores of the machine code do not add up to the bytes of spills that ptxas states",
         "give the object and not the linked program, as the linker can change code"},
    [UNLOCATED_BAD_LINES] = {"the line information of the binary is no valid DWARF 2 table", "compile again"},
    [UNLOCATED_NO_LINES] = {"the machine code has no line information",
                            "compile with -lineinfo, which does not change the code, or under "
                            "`warplint wrap --where=always`"},
    [UNLOCATED_NO_NUMBERS] = {"a binary does not say which accesses to local memory are spills",
                              "give the log of its build too, or --assemble where NAME.ptx is beside NAME.cubin"},
};
