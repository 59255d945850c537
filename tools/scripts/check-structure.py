#!/usr/bin/env python3
"""Fails if a layer of the server uses one above it, if Rust modules of a crate import each other in a cycle, or if two
members of the workspace declare the same dependency themselves.

A module is a file. A module and its own submodules may use each other, but two of its submodules may not. Test modules
inside a file (`#[cfg(test)] mod … {`) are left out; those in files of their own are checked like any module."""

import pathlib
import re
import sys
import tomllib

ROOT = pathlib.Path(__file__).resolve().parents[2]
CRATES = ["core/src", "server/src", *sorted(str(lib.parent.relative_to(ROOT)) for lib in ROOT.glob("wasm/*/src/lib.rs"))]
# The layers of the server. A layer may use only itself and the layers to its left.
LAYERS = ["platform", "access", "features", "app"]
PATH = re.compile(r"\b(?:crate|super)(?:::\w+)+")


def without_tests(text):
    text = re.sub(r"//[^\n]*", "", text)
    return re.split(r"#\[cfg\(test\)\]\s*(?:pub(?:\([^)]*\))? )?mod \w+ \{", text)[0]


def flatten(prefix, tree):
    """Returns the paths of a `use` tree: `a::{b, c::{d}}` is `a::b` and `a::c::d`."""
    tree = tree.strip()
    brace = tree.find("{")
    if brace < 0:
        return [prefix + re.sub(r"\s+as \w+$", "", tree)]
    head, body, paths, depth, start = prefix + tree[:brace], tree[brace + 1 : tree.rindex("}")], [], 0, 0
    for at, letter in enumerate(body + ","):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and depth == 0:
            if body[start:at].strip():
                paths += flatten(head, body[start:at])
            start = at + 1
    return paths


class Crate:
    def __init__(self, source):
        self.source = ROOT / source
        self.files = {}
        for file in sorted(self.source.rglob("*.rs")):
            parts = list(file.relative_to(self.source).with_suffix("").parts)
            if parts[-1] in ("mod", "lib"):
                parts.pop()
            if parts != ["main"]:
                self.files[tuple(parts)] = file
        self.texts = {module: without_tests(file.read_text()) for module, file in self.files.items()}
        self.uses = {module: self.read_uses(module, text) for module, text in self.texts.items()}

    def read_uses(self, module, text):
        # Re-exports are left out: a module does not use what it only re-exports.
        text = re.sub(r"\bpub(?:\([^)]*\))? use [^;]*;", "", text)
        found = set()
        for tree in re.findall(r"\buse (\w+[^;]*);", text):
            first = tree.split("::")[0].strip()
            if first in ("crate", "super", "self"):
                found.update(flatten("", " ".join(tree.split())))
            elif (*module, first) in self.files:
                found.update(flatten("self::", " ".join(tree.split())))
        found.update(PATH.findall(text))
        return {path for path in (self.absolute(module, use) for use in found) if path}

    def absolute(self, module, path):
        parts = path.replace(" ", "").split("::")
        if parts[0] == "crate":
            return tuple(parts[1:])
        base = list(module)
        while parts and parts[0] in ("super", "self"):
            if parts.pop(0) == "super":
                base = base[:-1]
        return tuple(base + parts)

    def defines(self, module, name):
        kinds = "fn|struct|enum|trait|type|const|static|macro_rules!"
        pattern = rf"^\s*(?:pub(?:\([^)]*\))? )?(?:const |async )*(?:{kinds}) {re.escape(name)}\b"
        return bool(re.search(pattern, self.texts.get(module, ""), re.M))

    def owner(self, path, seen=()):
        """Returns the module that defines what a path names, after following re-exports."""
        module = path
        while module and module not in self.files:
            module = module[:-1]
        rest = path[len(module) :]
        if not rest or rest[0] in ("self", "*") or (module, rest[0]) in seen or self.defines(module, rest[0]):
            return module
        for tree in re.findall(r"\bpub(?:\([^)]*\))? use ([^;]*);", self.texts.get(module, "")):
            for use in flatten("", " ".join(tree.split())):
                parts = use.split("::")
                if parts[-1] not in (rest[0], "*"):
                    continue
                target = self.absolute(module, use) if parts[0] in ("crate", "super", "self") else module + tuple(parts)
                owner = self.owner((*target[:-1], rest[0]) if parts[-1] == "*" else target, (*seen, (module, rest[0])))
                if parts[-1] != "*" or self.defines(owner, rest[0]):
                    return owner
        return module

    def edges(self):
        return {module: {self.owner(use) for use in uses} - {module, ()} for module, uses in self.uses.items()}


def cycles(edges):
    """Returns the strongly connected components of more than one module (Tarjan's algorithm)."""
    index, low, stack, found = {}, {}, [], []

    def visit(module):
        index[module] = low[module] = len(index)
        stack.append(module)
        for other in edges.get(module, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[module] = min(low[module], low[other])
        if low[module] == index[module]:
            component = set()
            while module not in component:
                component.add(stack.pop())
            if len(component) > 1:
                found.append(component)

    for module in edges:
        if module not in index:
            visit(module)
    return found


def forbidden_cycles(edges):
    """Returns the cycles other than those of a module with its own submodules: without that module, its submodules must
    not import each other in a cycle either."""
    found = []
    for component in cycles(edges):
        top = min(component, key=len)
        if all(module[: len(top)] == top for module in component):
            rest = component - {top}
            found += forbidden_cycles({module: edges[module] & rest for module in rest})
        else:
            found.append(component)
    return found


def repeated_dependencies():
    """Returns the crates that several members declare with a version of their own, instead of in the root's manifest."""
    users = {}
    members = {*ROOT.glob("*/Cargo.toml"), *ROOT.glob("wasm/*/Cargo.toml")} - {ROOT / "wasm/tools/Cargo.toml"}
    for file in sorted(members):
        tables = tomllib.loads(file.read_text())
        for name, value in [*tables.get("dependencies", {}).items(), *tables.get("dev-dependencies", {}).items()]:
            if not (isinstance(value, dict) and value.get("workspace")):
                users.setdefault(name, set()).add(str(file.parent.relative_to(ROOT)))
    return {name: members for name, members in users.items() if len(members) > 1}


def main():
    sys.setrecursionlimit(10_000)
    faults = []
    for source in CRATES:
        crate = Crate(source)
        edges = crate.edges()
        if source == "server/src":
            for module, others in edges.items():
                for other in others:
                    if module and module[0] in LAYERS and other[0] in LAYERS and LAYERS.index(other[0]) > LAYERS.index(module[0]):
                        faults.append(f"{source}: {'::'.join(module)} uses {'::'.join(other)}, a layer above it")
        for component in forbidden_cycles(edges):
            faults.append(f"{source}: these modules import each other:")
            for module in sorted(component):
                into = sorted("::".join(other) for other in edges[module] & component)
                faults.append(f"  {'::'.join(module)} -> {', '.join(into)}")
    for name, members in repeated_dependencies().items():
        faults.append(f"{name} belongs to [workspace.dependencies]: {', '.join(sorted(members))} use it")
    print("\n".join(faults) or "The layers hold, no modules import each other in a cycle, and dependencies are declared once.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
