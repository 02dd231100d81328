#!/bin/sh
# usage: comment.sh FILE
#
# Posts the Markdown as a comment on the pull request $PULL_REQUEST, or replaces the comment that begins with the same
# line. Needs `gh` and GH_TOKEN with `pull-requests: write`; a pull request from a fork has no such token: see its job
# summary.
set -eu
complain() # what is wrong and what to do
{
    message=$(printf '%s' "$1" | tr '[:cntrl:]' ' ' | sed 's/%/%25/g') # a percent sign would begin an escape
    printf '%s\n' "::error title=warplint::$message"
    exit 2
}

file=${1:-}
[ -s "$file" ] ||
    complain "there is no Markdown '$file' to post; the line should be \`sh comment.sh \"\${{ steps.warplint.outputs.comment }}\"\`"
case ${PULL_REQUEST:-} in
'') complain "PULL_REQUEST is not set; add the line \`PULL_REQUEST: \${{ github.event.pull_request.number }}\` under env:" ;;
*[!0-9]*) complain "PULL_REQUEST is '$PULL_REQUEST'; expected is a number, as in the line \`PULL_REQUEST: \${{ github.event.pull_request.number }}\`" ;;
esac
case $file in
-*) file=./$file ;; # gh takes @- as its standard input
esac
marker=$(head -n 1 "$file")
case $marker in # it becomes part of a program for jq
'' | *[!A-Za-z0-9._:\ \<\>!-]*) complain "'$file' does not begin with the line by which its comment is found; expected is the output \`comment\` of the action" ;;
esac
# Only a comment that was posted with this token: anyone can post one that begins with the marker.
url=$(gh pr view "$PULL_REQUEST" --repo "$GITHUB_REPOSITORY" --json comments \
    --jq ".comments[] | select(.viewerDidAuthor and (.body | startswith(\"$marker\"))) | .url" | head -n 1)
case $url in
*'#issuecomment-'*)
    gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/${url##*#issuecomment-}" --field "body=@$file" --silent
    ;;
'') gh api --method POST "repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments" --field "body=@$file" --silent ;;
*) complain "gh says that the comment is at '$url'; expected is an address that ends with #issuecomment-NUMBER; update gh" ;;
esac
