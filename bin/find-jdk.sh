# shellcheck shell=bash
# Sourced by ./argus and ./build: finds a JDK, says what to install when there is none.

ARGUS_MIN_JAVA=25

# jdk_version HOME: sets $version from the JDK's release file, without starting a JVM. False where there is none.
jdk_version() {
  local line
  version=
  [[ -x $1/bin/java && -r $1/release ]] || return 1
  while IFS= read -r line; do
    case $line in
      JAVA_RUNTIME_VERSION=*) version=${line#*=} ;;
      JAVA_VERSION=*) [[ $version ]] || version=${line#*=} ;;
    esac
  done <"$1/release"
  version=${version//\"/}
  [[ $version ]]
}

# java_home_of JAVA: sets $home to the JDK behind a java command; follows links, asks the command itself if it is a shim.
java_home_of() {
  home=$(readlink -f -- "$1") || return 1
  home=${home%/bin/java}
  [[ -r $home/release ]] && return 0
  [[ -r ${home%/jre}/release ]] && home=${home%/jre} && return 0
  home=$("$1" -XshowSettings:properties -version 2>&1 </dev/null | sed -n 's/^ *java\.home = //p')
  [[ $home ]]
}

# find_jdk run|build: sets JDK_HOME and JDK_VERSION to the first that is new enough (and, for build, has a compiler):
# JAVA_HOME, then every java on the PATH, then /usr/lib/jvm (tests: ARGUS_JVMS). $found collects what was looked at, for the message.
find_jdk() {
  local purpose=$1 dir home version major
  local -a candidates=() path=()
  found=
  [[ ${JAVA_HOME:-} ]] && candidates+=("$JAVA_HOME")
  IFS=: read -r -d '' -a path <<<"$PATH:" || true
  for dir in "${path[@]}"; do
    dir=${dir%$'\n'}
    [[ $dir && -x $dir/java && ! -d $dir/java ]] && candidates+=("$dir/java")
  done
  candidates+=("${ARGUS_JVMS:-/usr/lib/jvm}"/*)
  for dir in "${candidates[@]}"; do
    home=$dir
    if [[ ! -d $dir ]]; then
      java_home_of "$dir" || continue
    fi
    jdk_version "$home" || continue
    major=${version%%[!0-9]*}
    if ((${major:-0} < ARGUS_MIN_JAVA)); then
      [[ $found == *"$home"* ]] || found+="  $home: Java $version"$'\n'
    elif [[ $purpose == build && ! -x $home/bin/javac ]]; then
      [[ $found == *"$home"* ]] || found+="  $home: Java $version, but without a compiler (a JRE)"$'\n'
    else
      # shellcheck disable=SC2034  # both are read by the scripts that source this file
      JDK_HOME=$home
      # shellcheck disable=SC2034
      JDK_VERSION=$version
      return 0
    fi
  done
  return 1
}

# no_jdk NAME: says what is missing, what was found instead, and what to install.
no_jdk() {
  {
    printf '%s: needs a JDK of version %s or newer; none is in JAVA_HOME, on the PATH or under /usr/lib/jvm.\n' \
      "$1" "$ARGUS_MIN_JAVA"
    [[ $found ]] && printf 'Found only:\n%s' "$found"
    cat <<TXT
Install one, then run the same command again:
  Debian, Ubuntu:  apt-get install openjdk-25-jdk     (older releases: package temurin-25-jdk of Eclipse Temurin)
  Fedora, RHEL:    dnf install java-25-openjdk-devel
  any system:      unpack Eclipse Temurin 25 (JDK, not JRE) and set JAVA_HOME to its folder
TXT
  } >&2
}

# need_mvn NAME: false, with a message, where Maven is missing.
need_mvn() {
  command -v mvn >/dev/null && return 0
  cat >&2 <<TXT
$1: needs Maven (mvn) on the PATH to build; none was found.
Install it, then run the same command again:
  Debian, Ubuntu:  apt-get install maven
  Fedora, RHEL:    dnf install maven
  any system:      unpack Apache Maven 3.8 or newer and put its bin folder on the PATH
TXT
  return 1
}
