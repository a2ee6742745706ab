#!/bin/sh
# Fetches one revision of a repository: what Tekton's git-init does, with this machine's git.
set -eu

url= revision= refspec= path= ssl_verify=true submodules=true depth=1 sparse=

fail() {
  echo "git-init: $1" >&2
  exit 1
}

# As in Go: -name=value, --name=value, -name value, and a switch alone is true.
while [ $# -gt 0 ]; do
  flag=${1#-}
  flag=${flag#-}
  case $1 in
  -*=*)
    name=${flag%%=*} value=${flag#*=}
    ;;
  -sslVerify | --sslVerify | -submodules | --submodules)
    name=$flag value=true
    ;;
  -*)
    [ $# -gt 1 ] || fail "flag needs an argument: $1"
    name=$flag value=$2
    shift
    ;;
  *) fail "unexpected argument: $1" ;;
  esac
  shift
  case $name in
  url) url=$value ;;
  revision) revision=$value ;;
  refspec) refspec=$value ;;
  path) path=$value ;;
  sslVerify) ssl_verify=$value ;;
  submodules) submodules=$value ;;
  depth) depth=$value ;;
  sparseCheckoutDirectories) sparse=$value ;;
  terminationMessagePath) ;; # results are the business of the task
  *) fail "flag provided but not defined: -$name" ;;
  esac
done

# As Tekton's does: a block of YAML ends with a line.
url=${url#"${url%%[![:space:]]*}"}
url=${url%"${url##*[![:space:]]}"}
# Nothing that somebody gives may be taken for an option of git.
for given in "$url" "$revision" $refspec; do
  case $given in -*) fail "must not begin with a dash: $given" ;; esac
done
[ -n "$url" ] || fail "no -url is given"
case $depth in *[!0-9]* | '') fail "-depth must be a number: $depth" ;; esac

if [ -n "$path" ]; then
  mkdir -p -- "$path"
  cd -- "$path"
fi
git init --quiet .
git remote add origin "$url" 2>/dev/null || git remote set-url origin "$url"
git config http.sslVerify "$ssl_verify"
if [ -z "$revision" ]; then
  revision=HEAD
  git symbolic-ref HEAD refs/remotes/origin/HEAD
fi
if [ -n "$sparse" ]; then
  git config core.sparsecheckout true
  mkdir -p .git/info
  printf '%s\n' "$sparse" | tr ',' '\n' >>.git/info/sparse-checkout
fi

set -- --update-head-ok --force
[ "$submodules" != true ] || set -- --recurse-submodules=yes "$@"
[ "$depth" -eq 0 ] || set -- --depth="$depth" "$@"
if [ -n "$refspec" ]; then
  # shellcheck disable=SC2086 # several are separated by spaces
  git fetch --quiet "$@" origin $refspec || fail "failed to fetch [$refspec]"
  checkout=$revision
else
  git fetch --quiet "$@" origin "$revision" || fail "failed to fetch [$revision]"
  checkout=FETCH_HEAD
fi
git rev-parse --quiet --verify "$checkout^{commit}" >/dev/null ||
  fail "error parsing $checkout after fetching refspec $refspec"
git -c advice.detachedHead=false checkout --quiet -f "$checkout" --
if [ "$submodules" = true ] && [ -f .gitmodules ]; then
  if [ "$depth" -eq 0 ]; then
    git submodule update --recursive --init
  else
    git submodule update --recursive --init --depth="$depth"
  fi
fi
echo "Successfully cloned $url @ $(git rev-parse HEAD) in path $path"
