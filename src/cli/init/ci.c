#include "cli/init/init.h"

const struct ci_system ci_systems[] = {
    {"Azure Pipelines", "azure-pipelines.yml", "the steps of azure-pipelines.yml",
     "- bash: |\n"
     "    set -eo pipefail\n"
     "    cmake --build build 2>&1 | tee build.log\n"
     "    warplint check build.log --format azure -o junit=warplint.xml\n"
     "  displayName: build and judge the kernels\n"
     "- task: PublishTestResults@2\n"
     "  condition: always()\n"
     "  inputs:\n"
     "    testResultsFormat: JUnit\n"
     "    testResultsFiles: warplint.xml\n"},
    {"GitHub Actions", ".github", "the steps of a job in .github/workflows",
     "- name: build\n"
     "  shell: bash\n"
     "  run: cmake --build build 2>&1 | tee build.log\n"
     "- name: judge the kernels\n"
     "  run: |\n"
     "    warplint check build.log --format github -o sarif=warplint.sarif -o markdown=warplint.md\n"
     "- name: show it in the summary\n"
     "  if: always()\n"
     "  run: cat warplint.md >>\"$GITHUB_STEP_SUMMARY\"\n"},
    {"GitLab CI", ".gitlab-ci.yml", "a job of .gitlab-ci.yml",
     "warplint:\n"
     "  script:\n"
     "    - set -o pipefail\n"
     "    - cmake --build build 2>&1 | tee build.log\n"
     "    - warplint check build.log --format text -o gitlab=warplint.json -o junit=warplint.xml\n"
     "  artifacts:\n"
     "    when: always\n"
     "    reports:\n"
     "      codequality: warplint.json\n"
     "      junit: warplint.xml\n"},
    {"Jenkins", "Jenkinsfile", "a stage of the Jenkinsfile",
     "stage('warplint') {\n"
     "    steps {\n"
     "        sh 'cmake --build build >build.log 2>&1 || { cat build.log; exit 1; }'\n"
     "        sh 'warplint check build.log --format text -o junit=warplint.xml'\n"
     "    }\n"
     "    post {\n"
     "        always {\n"
     "            junit 'warplint.xml'\n"
     "        }\n"
     "    }\n"
     "}\n"},
};
const size_t ci_system_count = sizeof ci_systems / sizeof *ci_systems;
