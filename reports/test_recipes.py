# SPDX-License-Identifier: MIT
"""Runs the recipes of RECIPES.md as they stand there: test_recipes.py REDUCTIO RECIPES.md. `make`, `cmake` and `apt-get` do nothing here and
the program is told to take few cells; git, its hook, the shells, GNU parallel and the program are the real ones, Slurm's sbatch is
played. Exits 77 where Python has no yaml."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    print("skipped: Python has no module yaml (package python3-yaml)")
    sys.exit(77)

NOTHING = "#!/bin/sh\nexit 0\n"
# What follows later on a command line holds.
FEW = """#!/bin/sh
command=$1
case $command in check|run) set -- "$@" --backend host --type f32 --case uniform --case ones --tier smoke ;; esac
exec '{program}' "$@"
"""
# Array jobs one after the other; a wrapped command at once.
SBATCH = """#!/bin/sh
for word; do last=$word; done
case " $* " in
*" --wrap "*) exec sh -c "$last" ;;
esac
range=$(sed -n 's/^#SBATCH --array=//p' "$last")
for task in $(seq ${range%-*} ${range#*-}); do SLURM_ARRAY_TASK_ID=$task bash "$last"; done
echo 1234
"""


class Place:
    """A repository with a build folder, whose program is the one under test."""

    def __init__(self, folder, program):
        self.folder = pathlib.Path(folder)
        self.tools = self.folder / "tools"
        self.repository = self.folder / "repository"
        for made in (self.tools, self.repository / "build/bin", self.repository / "kernels"):
            made.mkdir(parents=True)
        for name in ("make", "cmake", "apt-get"):
            self.put(self.tools / name, NOTHING)
        self.put(self.tools / "sbatch", SBATCH)
        for path in (self.repository / "build/bin/reductio", self.tools / "reductio"):
            self.put(path, FEW.format(program=program))

    @staticmethod
    def put(path, text):
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run(self, script, **more):
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("GITHUB_", "GIT_", "CI_"))}
        environment.update(more, PATH=f"{self.tools}:{environment['PATH']}", HOME=str(self.folder), GIT_CONFIG_GLOBAL="/dev/null")
        done = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", script],
            cwd=self.repository,
            env=environment,
            text=True,
            capture_output=True,
            check=False,
        )
        self.said = done.stdout + done.stderr
        return done.returncode

    def must(self, script, code=0, **more):
        found = self.run(script, **more)
        assert found == code, f"{script}\nexits with {found}, not {code}:\n{self.said}"

    def drop(self, *names):
        for name in names:
            for path in self.repository.glob(name):
                path.unlink()

    def hold(self, *names):
        for name in names:
            assert (self.repository / name).stat().st_size, f"{name} is not there"

    def keep_baseline(self, name, rows="host_sequential"):
        self.must(f"build/bin/reductio check {rows} --save-baseline {name}")

    def spoil_baseline(self, name):
        """As if host_sequential had once been better than it is."""
        self.keep_baseline(name, "host_kahan")
        self.must(f"sed -i s/host_kahan/host_sequential/g .reductio/{name}.json")


def blocks(recipes, heading, language):
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", recipes, re.M | re.S).group(1)
    return re.findall(rf"^```{language}\n(.*?)^```", section, re.M | re.S)


def try_github(place, text):
    workflow = yaml.safe_load(text)
    steps = workflow["jobs"]["gate"]["steps"]
    assert all(("uses" in step) != ("run" in step) for step in steps)
    upload = next(step for step in steps if step.get("uses", "").startswith("actions/upload-artifact"))
    assert workflow[True] == "pull_request" and upload["if"] == "always()"  # YAML 1.1 reads `on` as true
    if shutil.which("actionlint"):
        place.put(place.folder / "sums.yml", text)
        place.must(f"actionlint {place.folder}/sums.yml")
    script = "\n".join(step["run"] for step in steps if "run" in step)
    summary = place.folder / "summary.md"
    job = {"GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary)}
    place.keep_baseline("main", "'host_*'")
    place.must(script, **job)
    place.hold(*upload["with"]["path"].split())
    assert "## Reductio: None of" in summary.read_text(encoding="utf-8") and "::notice title=Reductio" in place.said
    place.spoil_baseline("main")
    place.must(script, code=3, **job)
    page = (place.repository / "report.html").read_text(encoding="utf-8")
    assert "May I merge this? <b class=bad>No</b>" in page and "worse than in the baseline main" in page
    place.drop("junit.xml", "report.html")


def try_gitlab(place, text):
    job = yaml.safe_load(text)["sums"]
    place.keep_baseline("main", "'host_*'")
    place.must("\n".join(job["script"]))
    place.hold(*job["artifacts"]["paths"], job["artifacts"]["reports"]["junit"])
    place.drop("junit.xml", "report.html", "sums.md")


def try_gitlab_shards(place, text):
    jobs = yaml.safe_load(text)
    shard, merge = jobs["shard"], jobs["merge"]
    assert merge["needs"] == ["shard"] and shard["allow_failure"] == {"exit_codes": 1}
    place.keep_baseline("main", "'host_*'")
    for node in range(1, shard["parallel"] + 1):
        place.must("\n".join(shard["script"]), CI_NODE_INDEX=str(node), CI_NODE_TOTAL=str(shard["parallel"]))
    place.must("\n".join(merge["script"]))
    place.hold(merge["artifacts"]["reports"]["junit"])
    place.drop("shard-4.json")
    place.must("\n".join(merge["script"]), code=2)
    assert "shards are missing: 4/4" in place.said
    place.drop("shard-*.json", "all.json", "junit.xml")


def try_hook(place, text):
    place.must(
        "git init -q -b main . && git config user.name x && git config user.email x@x && git init -q --bare ../origin "
        "&& git remote add origin ../origin && echo build >.gitignore && echo one >kernels/host_sequential.cu "
        "&& git add . && git commit -qm one && git push -q -u origin main"
    )
    place.put(place.repository / ".git/hooks/pre-push", text)
    change = "git checkout -q -b {0} && echo {0} >kernels/host_sequential.cu && git commit -qam {0} && git push -q origin {0}"
    place.keep_baseline("main")
    place.must("git checkout -q -b words && echo x >README && git add README && git commit -qm x && git push -q origin words")
    place.must(change.format("good"))
    place.spoil_baseline("main")
    assert place.run(change.format("worse")), "a push that makes a cell worse went through"
    assert "WORSE" in place.said, place.said
    place.must("git ls-remote --exit-code origin worse", code=2)  # it did not arrive
    place.must("git push -q --no-verify origin worse && git ls-remote --exit-code origin worse")


def try_shards(place, commands, script, submit):
    place.keep_baseline("full", "'host_*'")
    if shutil.which("parallel"):
        place.must(commands)
        place.hold("all.json", "report.html")
        assert len(list(place.repository.glob("shard-*.json"))) == 16
        place.drop("shard-*.json", "all.json", "report.html")
    else:
        print("GNU parallel is not here (package parallel): its lines were not run")
    place.put(place.repository / "shards.sh", script)
    place.must(submit)
    place.hold("all.json", "report.html")
    place.must("reductio compare .reductio/full.json all.json")
    assert "0 WORSE, 0 GONE, 0 AMBIGUOUS, 0 BETTER, 0 NEW" in place.said, place.said


def main(program, recipes):
    recipes = pathlib.Path(recipes).read_text(encoding="utf-8")
    program = pathlib.Path(program).resolve()
    workflow, (job, shards) = blocks(recipes, "GitHub Actions", "yaml"), blocks(recipes, "GitLab CI", "yaml")
    many = "Many shards: GNU parallel, Slurm"
    commands, script, submit = blocks(recipes, many, "sh")
    for attempt in (
        lambda place: try_github(place, workflow[0]),
        lambda place: try_gitlab(place, job),
        lambda place: try_gitlab_shards(place, shards),
        lambda place: try_hook(place, blocks(recipes, "A git pre-push hook", "sh")[0]),
        lambda place: try_shards(place, commands, script, submit),
    ):
        with tempfile.TemporaryDirectory() as folder:
            attempt(Place(folder, program))
    print("the recipes hold")


main(*sys.argv[1:])
