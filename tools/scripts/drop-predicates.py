#!/usr/bin/env python3
"""Takes the tenant's predicate out of one statement after another, and looks whether a test notices.

    tools/scripts/drop-predicates.py [FILTER...]

Every `corp_id = $n` in the server's SQL is a mutant: with it dropped, the statement sees all tenants' rows. All of them are
built at once, in a work tree of the last commit under target/mutants: each predicate carries a comment with its number,
and the tree's `Sql::run` drops the one that DROPPED names. So there is one build, and a run of tests for each mutant, of
those tests alone that come by its statement. A mutant is first looked for in the source, by the test of statements, which
needs no run at all. With filters, only tests whose names hold one of them are run. The table goes to
target/mutants/report.tsv. SQLite only. Run it by hand: it takes an hour.
"""

import json, os, re, signal, subprocess, sys, threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACE = ROOT / "target/mutants"
TREE, SEEN = PLACE / "tree", PLACE / "seen"
ENV = {**os.environ, "CARGO_TARGET_DIR": str(PLACE / "build"), "RUST_BACKTRACE": "0"}
PREDICATE = re.compile(r'(?:\b[a-z]+\.)?\bcorp_id = (?=\$\d|")')
# One that always holds, with the same value bound: on SQLite no text is the same as a blob.
ALWAYS = "'' <> "
STATEMENTS = "tenancy::statements::t5_every_statement_on_a_tenants_table_names_its_tenant"
# Last, since they take longest.
LAST = ("policy::t1", "tenants::t4")

DROP = '''
/// The statement without the predicate that DROPPED names; notes which predicates it has, and which test it is of.
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
    """Every predicate: its file, its offset, what it is."""
    found = []
    for path in sorted((TREE / "server/src").rglob("*.rs")):
        text = path.read_text()
        # What only tests say is no statement of the program's.
        code = text.split("#[cfg(test)]\nmod tests")[0]
        found += [(path.relative_to(TREE), match) for match in PREDICATE.finditer(code)]
    return found


def build(found):
    """Builds all mutants at once, and puts the source back; gives the programs of tests."""
    texts = {path: (TREE / path).read_text() for path, _ in found}
    for path in texts:
        text = texts[path]
        for number, (_, match) in reversed([(n, m) for n, m in enumerate(found) if m[0] == path]):
            text = f"{text[:match.start()]}/*P{number}*/{text[match.start():]}"
        (TREE / path).write_text(text)
    db = TREE / "server/src/db.rs"
    kept = db.read_text()
    begin = "let Sql { on, text, args, .. } = self;\n"
    assert begin in kept
    db.write_text(kept.replace(begin, begin + "        let text = dropped(text);\n") + DROP)
    made = run("cargo", "test", "--locked", "-p", "forecourt", "--no-run", "--message-format=json", cwd=TREE, env=ENV,
               stdout=subprocess.PIPE).stdout
    for path, text in texts.items():
        (TREE / path).write_text(text)
    db.write_text(kept)
    lines = [json.loads(line) for line in made.splitlines() if line.startswith("{")]
    return [line["executable"] for line in lines if line.get("executable") and line["profile"]["test"]]


def fails(program, arguments, patience=600, **env):
    """Runs tests, and gives the names of those that fail as they do; too long a run, or a broken one, is a failure."""
    process = subprocess.Popen([program, *arguments], cwd=TREE / "server", text=True, env={**ENV, **env},
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
    end = threading.Timer(patience, lambda: os.killpg(process.pid, signal.SIGKILL))
    end.start()
    try:
        any_failed = False
        for line in process.stdout:
            if match := re.match(r"test (\S+) \.\.\. FAILED", line):
                any_failed = True
                yield match[1]
        if process.wait() != 0 and not any_failed:
            yield "(the run)"
    finally:
        end.cancel()
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def failed(program, tests, **env):
    """The first of these tests that fails; none if none does."""
    return next(fails(program, ["--exact", *tests], **env), None)


def in_source(found, number, api):
    """Does the test of statements find in the source that this predicate is gone?"""
    path, match = found[number]
    text = (TREE / path).read_text()
    (TREE / path).write_text(text[: match.start()] + ALWAYS + text[match.end() :])
    try:
        return failed(api, [STATEMENTS]) is not None
    finally:
        (TREE / path).write_text(text)


def main():
    PLACE.mkdir(parents=True, exist_ok=True)
    if TREE.exists():
        run("git", "worktree", "remove", "--force", str(TREE), cwd=ROOT)
    run("git", "worktree", "add", "--quiet", "--detach", str(TREE), "HEAD", cwd=ROOT)
    try:
        # The mail server of the tests is npm's.
        (TREE / "web/node_modules").symlink_to(ROOT / "web/node_modules")
        found = find()
        programs = build(found)
        api = next(program for program in programs if Path(program).name.startswith("api-"))
        SEEN.unlink(missing_ok=True)
        unfit = set()
        for program in programs:
            unfit.update(fails(program, sys.argv[1:], patience=3600, SEEN=str(SEEN)))
        print("failed with every predicate in its place, and not asked:", *unfit, file=sys.stderr)
        seen = {}
        for line in SEEN.read_text().splitlines():
            number, test = line.split("\t")
            seen.setdefault(int(number), set()).add(test)
        names = {program: run(program, "--list", stdout=subprocess.PIPE, cwd=TREE / "server").stdout
                 for program in programs}
        names = {program: {line.removesuffix(": test") for line in text.splitlines()} for program, text in names.items()}
        report = (PLACE / "report.tsv").open("w", buffering=1)
        # Who is signed in comes last: its tests are the most.
        for number in sorted(range(len(found)), key=lambda n: (str(found[n][0]).startswith("server/src/auth"), n)):
            path, match = found[number]
            line = (TREE / path).read_text()[: match.start()].count("\n") + 1
            by = None
            for program in programs:
                tests = sorted((seen.get(number, set()) & names[program]) - unfit)
                quick = [test for test in tests if not test.startswith(LAST)]
                slow = [test for test in tests if test.startswith(LAST)]
                for some in [quick, *[[test] for test in slow]]:
                    if some and not by:
                        by = failed(program, some, DROPPED=str(number))
            behaviour = by or ("survives" if number in seen else "no test comes by")
            source = "found in the source" if in_source(found, number, api) else "not found in the source"
            for out in (report, sys.stdout):
                print(number, f"{path}:{line}", behaviour, source, sep="\t", file=out, flush=True)
    finally:
        run("git", "worktree", "remove", "--force", str(TREE), cwd=ROOT)


main()
