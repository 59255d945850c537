#!/usr/bin/env python3
"""Mutation test: removes the tenant predicate from one SQL statement at a time and checks whether a test fails.

    tools/scripts/drop-predicates.py [FILTER...]

Every `corp_id = $n` in the server's SQL is a mutant: without it, the statement sees the rows of all tenants. All mutants share
one build, in a work tree of the last commit under target/mutants: a comment numbers each predicate, and a patched
`Sql::run_at_once` removes the one that the environment variable DROPPED names. For each mutant, only the tests that execute
its statement are run. The test that reads the sources is also run for each. With filters, only tests whose names contain one
of them are run. The results are written to target/mutants/report.tsv. SQLite only. Takes an hour, so it is run by hand.
"""

import json, os, re, signal, subprocess, sys, threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "target/mutants"
TREE, SEEN = PLACE / "tree", PLACE / "seen"
ENV = {**os.environ, "CARGO_TARGET_DIR": str(PLACE / "build"), "RUST_BACKTRACE": "0"}
PREDICATE = re.compile(r'(?:\b[a-z]+\.)?\bcorp_id = (?=\$\d|")')
# Replaces `corp_id = `: the condition is then always true, and still binds the same value (on SQLite a text never
# equals a blob).
ALWAYS = "'' <> "
STATEMENTS = "tenancy::statements::t5_every_statement_on_a_tenant_table_names_its_tenant"
# The slowest tests, which are run last for each mutant, one by one.
LAST = ("policy::t1", "tenant_isolation::t4")

DROP = '''
/// Returns the statement without the predicate that DROPPED names. With SEEN set, records which test executed which predicate.
fn dropped(text: Cow<'static, str>) -> Cow<'static, str> {
    use std::io::Write as _;
    use std::sync::{LazyLock, Mutex};
    static DROPPED: LazyLock<Option<String>> =
        LazyLock::new(|| std::env::var("DROPPED").ok().map(|number| format!("/*P{number}*/")));
    static NOTED: LazyLock<Option<Mutex<std::collections::HashSet<String>>>> =
        LazyLock::new(|| std::env::var("SEEN").ok().map(|_| Mutex::default()));
    if let Some(noted) = &*NOTED {
        let thread = std::thread::current().name().unwrap_or("-").to_owned();
        for mark in text.split("/*P").skip(1).filter_map(|rest| rest.split("*/").next()) {
            let line = format!("{mark}\\t{thread}\\n");
            if noted.lock().is_ok_and(|mut noted| noted.insert(line.clone())) {
                let path = std::env::var("SEEN").unwrap_or_default();
                let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
                let _ = file.map(|mut file| file.write_all(line.as_bytes()));
            }
        }
    }
    let Some(mark) = DROPPED.as_deref().filter(|mark| text.contains(*mark)) else { return text };
    let mut rest = text.as_ref();
    let mut out = String::new();
    while let Some((before, after)) = rest.split_once(mark) {
        out.push_str(before);
        out.push_str("'' <> ");
        rest = after.split_once("= ").map_or("", |(_, rest)| rest);
    }
    out.push_str(rest);
    out.into()
}
'''


def run(*command, **more):
    return subprocess.run(command, check=True, text=True, **more)


def find():
    """Returns each predicate in the sources of the server: its file, and the match in it."""
    found = []
    for path in sorted((TREE / "server/src").rglob("*.rs")):
        # Statements in unit tests are not mutated: neither in files of tests nor in a `mod tests`.
        if path.name == "tests.rs" or path.name.endswith("_tests.rs"):
            continue
        code = path.read_text().split("#[cfg(test)]\nmod tests")[0]
        found += [(path.relative_to(TREE), match) for match in PREDICATE.finditer(code)]
    return found


def build(found):
    """Builds all mutants at once, restores the sources, and returns the test executables."""
    texts = {path: (TREE / path).read_text() for path, _ in found}
    for path in texts:
        text = texts[path]
        for number, (_, match) in reversed([(n, m) for n, m in enumerate(found) if m[0] == path]):
            text = f"{text[:match.start()]}/*P{number}*/{text[match.start():]}"
        (TREE / path).write_text(text)
    begin = re.compile(r"let Sql \{ target, text, .*\} = self;\n")
    db = next(path for path in (TREE / "server/src").rglob("*.rs") if begin.search(path.read_text()))
    original = db.read_text()
    db.write_text(begin.sub(lambda found: found[0] + "        let text = dropped(text);\n", original) + DROP)
    output = run("cargo", "test", "--locked", "-p", "forecourt", "--no-run", "--message-format=json", cwd=TREE, env=ENV,
                 stdout=subprocess.PIPE).stdout
    for path, text in texts.items():
        (TREE / path).write_text(text)
    db.write_text(original)
    lines = [json.loads(line) for line in output.splitlines() if line.startswith("{")]
    return [line["executable"] for line in lines if line.get("executable") and line["profile"]["test"]]


def failing_tests(program, arguments, timeout=600, **env):
    """Runs tests and yields the names of those that fail. A timeout or a crash counts as a failure."""
    process = subprocess.Popen([program, *arguments], cwd=TREE / "server", text=True, env={**ENV, **env},
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    end = threading.Timer(timeout, lambda: os.killpg(process.pid, signal.SIGKILL))
    end.start()
    try:
        any_failed = False
        for line in process.stdout:
            if match := re.match(r"test (\S+) \.\.\. FAILED", line):
                any_failed = True
                yield match[1]
        if process.wait() != 0 and not any_failed:
            yield "(crash or timeout)"
    finally:
        end.cancel()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def first_failure(program, tests, **env):
    """Returns the first of these tests that fails, or None."""
    return next(failing_tests(program, ["--exact", *tests], **env), None)


def fails_source_test(found, number, api):
    """Returns whether the test that reads the sources notices that this predicate is missing."""
    path, match = found[number]
    text = (TREE / path).read_text()
    (TREE / path).write_text(text[: match.start()] + ALWAYS + text[match.end() :])
    try:
        return first_failure(api, [STATEMENTS]) is not None
    finally:
        (TREE / path).write_text(text)


def main():
    PLACE.mkdir(parents=True, exist_ok=True)
    if TREE.exists():
        run("git", "worktree", "remove", "--force", str(TREE), cwd=ROOT)
    run("git", "worktree", "add", "--quiet", "--detach", str(TREE), "HEAD", cwd=ROOT)
    try:
        # The tests need the npm packages, because their mail server is one.
        (TREE / "web/node_modules").symlink_to(ROOT / "web/node_modules")
        found = find()
        programs = build(found)
        api = next(program for program in programs if Path(program).name.startswith("api-"))
        SEEN.unlink(missing_ok=True)
        already_failing = set()
        for program in programs:
            already_failing.update(failing_tests(program, sys.argv[1:], timeout=3600, SEEN=str(SEEN)))
        print("ignored, because they fail without a mutation:", *already_failing, file=sys.stderr)
        seen = {}
        for line in SEEN.read_text().splitlines():
            number, test = line.split("\t")
            seen.setdefault(int(number), set()).add(test)
        names = {program: run(program, "--list", stdout=subprocess.PIPE, cwd=TREE / "server").stdout
                 for program in programs}
        names = {program: {line.removesuffix(": test") for line in text.splitlines()} for program, text in names.items()}
        report = (PLACE / "report.tsv").open("w", buffering=1)
        # Mutants in the code of authentication come last, because most tests execute its statements.
        for number in sorted(range(len(found)), key=lambda n: ("auth" in found[n][0].parts, n)):
            path, match = found[number]
            line = (TREE / path).read_text()[: match.start()].count("\n") + 1
            by = None
            for program in programs:
                tests = sorted((seen.get(number, set()) & names[program]) - already_failing)
                quick = [test for test in tests if not test.startswith(LAST)]
                slow = [test for test in tests if test.startswith(LAST)]
                for some in [quick, *[[test] for test in slow]]:
                    if some and not by:
                        by = first_failure(program, some, DROPPED=str(number))
            behaviour = by or ("survives" if number in seen else "not covered")
            source = "found in the source" if fails_source_test(found, number, api) else "not found in the source"
            for out in (report, sys.stdout):
                print(number, f"{path}:{line}", behaviour, source, sep="\t", file=out, flush=True)
    finally:
        run("git", "worktree", "remove", "--force", str(TREE), cwd=ROOT)


main()
