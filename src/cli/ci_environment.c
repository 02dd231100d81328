#include "cli/ci_environment.h"

#include <stdlib.h>

/*
 * To add a CI system: a row. ${NAME} is an environment variable. A text is left out if one of its variables is not set
 * or is empty. Variables that may contain a password (Jenkins' GIT_URL, Azure's BUILD_REPOSITORY_URI) are not used.
 * https://docs.github.com/actions/reference/workflows-and-actions/variables
 * https://docs.gitlab.com/ci/variables/predefined_variables/
 * https://www.jenkins.io/doc/book/pipeline/jenkinsfile/
 * https://learn.microsoft.com/azure/devops/pipelines/build/variables
 */
static const struct ci_system {
    const char *mark; /* a variable that only this system sets */
    const char *project, *commit, *source_branch, *branch, *run;
    const char *project_url, *commit_url, *run_url, *files_url;
} systems[] = {
    {"GITHUB_ACTIONS", "${GITHUB_REPOSITORY}", "${GITHUB_SHA}", "${GITHUB_HEAD_REF}", "${GITHUB_REF_NAME}",
     "${GITHUB_WORKFLOW} #${GITHUB_RUN_NUMBER}", "${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}",
     "${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/commit/${GITHUB_SHA}",
     "${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/actions/runs/${GITHUB_RUN_ID}",
     "${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}/blob/${GITHUB_SHA}/"},
    {"GITLAB_CI", "${CI_PROJECT_PATH}", "${CI_COMMIT_SHA}", "${CI_MERGE_REQUEST_SOURCE_BRANCH_NAME}",
     "${CI_COMMIT_REF_NAME}", "pipeline ${CI_PIPELINE_ID}", "${CI_PROJECT_URL}",
     "${CI_PROJECT_URL}/-/commit/${CI_COMMIT_SHA}", "${CI_PIPELINE_URL}", "${CI_PROJECT_URL}/-/blob/${CI_COMMIT_SHA}/"},
    {"JENKINS_URL", "${JOB_NAME}", "${GIT_COMMIT}", "${CHANGE_BRANCH}", "${GIT_BRANCH}", "build ${BUILD_NUMBER}", "",
     "", "${BUILD_URL}", ""},
    {"TF_BUILD", "${BUILD_REPOSITORY_NAME}", "${BUILD_SOURCEVERSION}", "${SYSTEM_PULLREQUEST_SOURCEBRANCH}",
     "${BUILD_SOURCEBRANCH}", "build ${BUILD_BUILDNUMBER}", "", "",
     "${SYSTEM_COLLECTIONURI}${SYSTEM_TEAMPROJECTID}/_build/results?buildId=${BUILD_BUILDID}", ""},
};

static struct str expand(const char *text, struct arena *arena)
{
    struct buf out = {0};
    for (struct str rest = str_of(text); rest.len;) {
        if (!str_starts(rest, STR("${"))) {
            buf_char(&out, rest.ptr[0]);
            rest = str_from(rest, 1);
            continue;
        }
        size_t end = str_find_char(rest, '}');
        const char *value = getenv(arena_str(arena, str_sub(rest, 2, end)).ptr);
        if (!value || !*value) {
            buf_clear(&out);
            break;
        }
        buf_add(&out, str_of(value));
        rest = str_from(rest, end + 1);
    }
    return arena_take(arena, &out);
}

struct build_run ci_environment(struct arena *arena)
{
    EACH(const struct ci_system, system, systems, sizeof systems / sizeof *systems) {
        const char *mark = getenv(system->mark);
        if (!mark || !*mark)
            continue;
        struct str source_branch = expand(system->source_branch, arena);
        return (struct build_run){
            .project = expand(system->project, arena),
            .commit = expand(system->commit, arena),
            .branch = source_branch.len ? source_branch : expand(system->branch, arena),
            .run = expand(system->run, arena),
            .project_url = expand(system->project_url, arena),
            .commit_url = expand(system->commit_url, arena),
            .run_url = expand(system->run_url, arena),
            .files_url = expand(system->files_url, arena),
        };
    }
    return (struct build_run){0};
}
