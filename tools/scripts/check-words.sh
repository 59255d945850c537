#!/usr/bin/env bash
# Fails if a file contains an unclear word or phrase, or refers to a document that is not in the repository. It leaves
# out migrations and fixtures, because they are never edited after their first commit: check the words of a new one
# yourself.
set -u
cd "$(dirname "$0")/../.."
words=(
  whoever whomever whatever somebody anew mend mended mends 'by now' 'nobody but' 'such as are'
  'what there is' 'is told' 'are told' 'was told' 'be told' 'been told'
  # References to documents that are not in the repository.
  'specification,? (section )?[0-9]' 'decisions [0-9]+[.]'
)
either=$(IFS='|'; echo "${words[*]}")
git grep --line-number --ignore-case -I --extended-regexp "(^|[^[:alpha:]])(${either// /[ _]})([^[:alpha:]]|\$)" -- \
  '*.rs' '*.ts' '*.tsx' '*.mjs' '*.sql' '*.css' '*.py' '*.sh' '*.md' '*.yml' '*.yaml' Makefile \
  ':!migrations' ':!server/tests/fixtures' ':!tools/scripts/check-words.sh'
case $? in
  0) echo 'Write these more plainly, or remove the reference (the list is in tools/scripts/check-words.sh)' >&2; exit 1 ;;
  1) ;;
  *) exit 2 ;;
esac
