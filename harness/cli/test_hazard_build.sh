#!/bin/sh
# SPDX-License-Identifier: MIT
# test_hazard_build.sh PROGRAM KIND SCRATCH: the sanitizer builds are made when they are first wanted. KIND, tsan or asan,
# is taken away from the build folder and must be there again afterwards, whatever befell the builds between.
set -eu
program=$1 kind=$2 scratch=$3
worker=$(dirname "$program")/reductio-worker-simt-$kind
lock=$(dirname "$program")/../hazards.lock
rm -rf "$scratch"
mkdir -p "$scratch/bin" "$scratch/empty"
mv "$worker" "$scratch/whole"
trap 'test -x "$worker" || mv -f "$scratch/whole" "$worker"' EXIT
unset REDUCTIO_WORKERS

fail() {
    echo "$1" >&2
    cat "$scratch/said" >&2
    exit 1
}

# hazards CODE SENTENCE: one small row must end with that exit code and say the sentence.
hazards() {
    code=0
    "$program" hazards two_level_serial --backend "$kind" --type f32 --quiet >"$scratch/said" 2>&1 || code=$?
    test "$code" = "$1" || fail "exit code $code instead of $1"
    grep -q "$2" "$scratch/said" || fail "\"$2\" is not said"
}

# A cmake of our own: notes each call, then does what "$scratch/act" says.
cat >"$scratch/bin/cmake" <<END
#!/bin/sh
echo "\$*" >>"$scratch/calls"
. "$scratch/act"
END
chmod +x "$scratch/bin/cmake"
mine=$scratch/bin:$PATH

# No cmake, and a build that fails: a sentence and the harness's own exit code, never a pass.
(PATH=$scratch/empty; command -v cmake >/dev/null) && fail "there is a cmake in an empty folder"
code=0
env PATH="$scratch/empty" "$program" hazards two_level_serial --type f32 --quiet >"$scratch/said" 2>&1 || code=$?
test "$code" = 99 || fail "without cmake: exit code $code"
grep -q "cannot be built for $kind: cmake cannot be started: No such file" "$scratch/said" || fail "no reason given"
echo 'echo "c++: command not found" >&2; exit 127' >"$scratch/act"
(PATH=$mine hazards 99 "cannot be built for $kind: the build above ended with exit code 127")
echo 'kill -KILL $$' >"$scratch/act"
(PATH=$mine hazards 99 "cannot be built for $kind: the build above was killed by SIGKILL")
echo true >"$scratch/act"
(PATH=$mine hazards 99 "the build above has left no program")

# What another sanitizer finds does not need this one.
other=asan
test "$kind" = asan && other=tsan
"$program" hazards two_level_serial --backend "$other" --type f32 --quiet >"$scratch/said" 2>&1 || fail "$other"

# Half a program, as a killed linker leaves it, is no program: it is removed and built anew.
head -c 1000 "$scratch/whole" >"$worker"
echo "test ! -e '$worker' && cp '$scratch/whole' '$worker'" >"$scratch/act"
(PATH=$mine hazards 0 "clean under $kind")
rm "$worker"

# start FILE: the same in the background, on our cmake; what it says goes to FILE.
start() {
    PATH=$mine "$program" hazards two_level_serial --backend "$kind" --type f32 --quiet >"$1" 2>&1 &
}

# until_said SENTENCE FILE
until_said() {
    tries=0
    until grep -qs "$1" "$2"; do
        tries=$((tries + 1))
        test "$tries" -lt 1200 || fail "\"$1\" is not said in a minute"
        sleep 0.05
    done
}

# A build that goes on until it is told, so that a second one comes to it.
slow="until test -e '$scratch/go'; do sleep 0.05; done; cp '$scratch/whole' '$worker.part'; mv '$worker.part' '$worker'"

# two_at_once END: one builds, the other waits for it; END is what happens to the first meanwhile.
two_at_once() {
    rm -f "$scratch/go" "$scratch/calls" "$worker" "$scratch/first" "$scratch/second"
    echo "$slow" >"$scratch/act"
    start "$scratch/first"
    first=$!
    until_said . "$scratch/calls"
    $1 "$first"
    start "$scratch/second"
    second=$!
    until_said "being built by another process" "$scratch/second"
    touch "$scratch/go"
    wait "$second" || fail "the second has failed: $(cat "$scratch/second")"
    grep -q "clean under $kind" "$scratch/second" || fail "the second has checked nothing"
    test "$(wc -l <"$scratch/calls")" = 1 || fail "two builds instead of one"
}

two_at_once true
wait "$first" || fail "the first has failed: $(cat "$scratch/first")"
# Where the first is killed its build goes on, and nobody builds beside that.
two_at_once "kill -KILL"
wait "$first" && fail "the first has not been killed"
rm "$worker"

# A compiler's server that the build leaves behind holds no lock.
cat >"$scratch/act" <<END
sleep 60 >"$scratch/server" 2>&1 & echo \$! >"$scratch/server.pid"
cp '$scratch/whole' '$worker.part'; mv '$worker.part' '$worker'
END
(PATH=$mine hazards 0 "clean under $kind")
rm "$worker"
echo "cp '$scratch/whole' '$worker.part'; mv '$worker.part' '$worker'" >"$scratch/act"
(PATH=$mine hazards 0 "clean under $kind")
grep -q "being built by another process" "$scratch/said" && fail "a server holds the lock"
kill "$(cat "$scratch/server.pid")" || fail "the server ended with the build"
rm "$worker"

# An interrupt stops the build, and nobody has to wait for it.
rm -f "$scratch/calls"
echo "echo \$\$ >'$scratch/builder.pid'; sleep 60; exit 1" >"$scratch/act"
start "$scratch/first"
first=$!
until_said . "$scratch/builder.pid"
kill -TERM "$first"
code=0
wait "$first" || code=$?
test "$code" = 130 || fail "an interrupted build ends with $code"
grep -q "reductio: interrupted" "$scratch/first" || fail "the interrupt is not told"
kill -0 "$(cat "$scratch/builder.pid")" 2>/dev/null && fail "the build goes on"

# The real build, ended at some moment, and then again.
setsid "$program" hazards two_level_serial --backend "$kind" --type f32 --quiet >"$scratch/first" 2>&1 &
first=$!
sleep 0.5
kill -KILL -"$first" 2>/dev/null || true
wait "$first" || true
hazards 0 "clean under $kind"
rm -f "$lock"
