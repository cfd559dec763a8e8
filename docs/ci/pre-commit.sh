#!/bin/sh
# .git/hooks/pre-commit: the same without the pre-commit framework. Checks the manifests as they are staged.
set -eu
staged=$(git diff --cached --name-only --diff-filter=ACMR -- 'deploy/*.yaml' 'deploy/*.yml' 'deploy/*.json')
[ -n "$staged" ] || exit 0
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
git checkout-index --prefix="$tree/" -- $staged
cd "$tree"
kubectl-pvc_explain check --offline -R -f deploy
