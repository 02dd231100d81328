#!/bin/sh
# usage: comment.sh FILE
#
# Posts the Markdown as a comment on the pull request $PULL_REQUEST, or replaces the one that begins with the same line.
# Needs `gh` and GH_TOKEN with `pull-requests: write`; a pull request of a fork has no such token: see its job summary.
set -eu
file=${1:-}
if [ ! -s "$file" ]; then
    echo "::error title=warplint::there is no Markdown '$file' to post; the line should be \`sh comment.sh \"\${{ steps.warplint.outputs.comment }}\"\`"
    exit 2
fi
if [ -z "${PULL_REQUEST:-}" ]; then
    echo "::error title=warplint::PULL_REQUEST is not set; add the line \`PULL_REQUEST: \${{ github.event.pull_request.number }}\` under env:"
    exit 2
fi
marker=$(head -n 1 "$file")
comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments
known=$(gh api --paginate "$comments" --jq ".[] | select(.body | startswith(\"$marker\")) | .id" | head -n 1)
if [ -n "$known" ]; then
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$known" --field "body=@$file" --silent
else
    gh api --method POST "$comments" --field "body=@$file" --silent
fi
