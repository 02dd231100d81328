#include "cli/init/init.h"

#include <string.h>

#define LOG_BY_PIPE " 2>&1 | tee build.log"

const struct ci_system ci_systems[] = {
    {"Azure Pipelines", "azure-pipelines.yml", "the steps of azure-pipelines.yml", LOG_BY_PIPE,
     "- bash: |\n"
     "    set -eo pipefail\n"
     "    {build}\n"
     "    warplint check {judged} --format azure -o junit=warplint.xml\n"
     "  displayName: build and judge the kernels\n"
     "- task: PublishTestResults@2\n"
     "  condition: always()\n"
     "  inputs:\n"
     "    testResultsFormat: JUnit\n"
     "    testResultsFiles: warplint.xml\n"},
    {"GitHub Actions", ".github", "the steps of a job in .github/workflows", LOG_BY_PIPE,
     "- name: build\n"
     "  shell: bash\n"
     "  run: {build}\n"
     "- name: judge the kernels\n"
     "  run: |\n"
     "    warplint check {judged} --format github -o markdown=warplint.md\n"
     "- name: show it in the summary\n"
     "  if: always()\n"
     "  run: cat warplint.md >>\"$GITHUB_STEP_SUMMARY\"\n"},
    {"GitLab CI", ".gitlab-ci.yml", "a job of .gitlab-ci.yml", LOG_BY_PIPE,
     "warplint:\n"
     "  script:\n"
     "    - set -o pipefail\n"
     "    - {build}\n"
     "    - warplint check {judged} --format text -o gitlab=warplint.json -o junit=warplint.xml\n"
     "  artifacts:\n"
     "    when: always\n"
     "    reports:\n"
     "      codequality: warplint.json\n"
     "      junit: warplint.xml\n"},
    {"Jenkins", "Jenkinsfile", "a stage of the Jenkinsfile", " >build.log 2>&1 || { cat build.log; exit 1; }",
     "stage('warplint') {\n"
     "    steps {\n"
     "        sh '{build}'\n"
     "        sh 'warplint check {judged} --format text -o junit=warplint.xml'\n"
     "    }\n"
     "    post {\n"
     "        always {\n"
     "            junit 'warplint.xml'\n"
     "        }\n"
     "    }\n"
     "}\n"},
};
const size_t ci_system_count = sizeof ci_systems / sizeof *ci_systems;

static const struct ci_build {
    const char *command;
    const char *judged; /* the log or folder to judge afterwards */
    const char *before; /* the steps that the job needs first */
} builds[2][2] = {
    /* CMake: a log, records */
    {{"cmake --build build", "build.log",
      "-Xptxas=-v for each nvcc:\n"
      "export NVCC_APPEND_FLAGS=\"$NVCC_APPEND_FLAGS -Xptxas=-v\""},
     {"cmake --build build", "build",
      "the wrapper as the launcher of nvcc:\n"
      "cmake -B build -DCMAKE_CUDA_COMPILER_LAUNCHER=\"warplint;wrap;--record-only;--\""}},
    /* make */
    {{"make -B NVCC=\"nvcc -Xptxas=-v\"", "build.log", NULL},
     {"make -B NVCC=\"$PWD/shim/bin/nvcc\" CUDA_HOME=\"$PWD/shim\"", ".",
      "a shim as nvcc:\n"
      "warplint wrap --record-only --install-shim shim"}},
};

void ci_add_block(const struct ci_system *ci, bool make, bool records, struct buf *out)
{
    const struct ci_build *build = &builds[make][records];
    struct str rest = str_of(ci->block), line;
    buf_fmt(out, "\n%s, for %s:\n\n", ci->name, ci->where);
    while (str_split(&rest, '\n', &line)) {
        const size_t command = str_find(line, STR("{build}")), judged = str_find(line, STR("{judged}"));
        if (line.len == 0)
            continue;
        buf_add(out, STR("    "));
        if (command != STR_NONE)
            buf_fmt(out, "%.*s%s%s%.*s", STR_ARG(str_sub(line, 0, command)), build->command, records ? "" : ci->logged,
                    STR_ARG(str_from(line, command + strlen("{build}"))));
        else if (judged != STR_NONE)
            buf_fmt(out, "%.*s%s%.*s", STR_ARG(str_sub(line, 0, judged)), build->judged,
                    STR_ARG(str_from(line, judged + strlen("{judged}"))));
        else
            buf_add(out, line);
        buf_char(out, '\n');
    }
}

void ci_add_before(bool make, bool records, struct buf *out)
{
    const char *before = builds[make][records].before;
    if (before)
        buf_fmt(out, "\nbefore it: warplint in the PATH of the job, and %s\n", before);
}
