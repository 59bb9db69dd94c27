// Conflicts that a program resolves while a candidate is built, on real git.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Commit } from "../../src/core/ids.ts";
import type { GitProject } from "../support/git-project.ts";
import { crashAt, gitProject, restarted } from "../support/git-project.ts";

/** Something else every time: only what is remembered is the same again. */
const MOODY = `sed -i -e '/^|||/,/^===/d' -e '/^[<>]\\{7\\} /d' "$1"
date +%s%N >> "$1"
`;

function sides(project: GitProject): { onto: Commit; head: Commit } {
  project.git(project.user, "checkout", "-q", "-b", "x", "main");
  const head = project.commit(project.user, { "same.txt": "x\n" });
  project.git(project.user, "checkout", "-q", "main");
  project.git(project.hub, "fetch", "-q", project.user, "+x:refs/heads/x");
  const onto = project.commit(project.user, { "same.txt": "main\n" });
  return { onto, head };
}

async function conflict(script: string, strategy: "rebase" | "merge" | "squash" = "merge") {
  const project = gitProject("local");
  await project.pawl.fetchTarget();
  const { onto, head } = sides(project);
  await project.pawl.fetchTarget();
  const program = join(project.user, "..", "resolver.sh");
  writeFileSync(program, script);
  const heads = [{ branch: "x", head, message: "Land x" }];
  const resolve = ["sh", program, "{file}"];
  return { project, request: { onto, heads, strategy, ref: "1", resolve } };
}

const scratch = (project: GitProject): string[] =>
  readdirSync(join(project.hub, "pawl")).filter((name) => name.startsWith("resolve-"));

test.each(["rebase", "merge", "squash"] as const)(
  "what was resolved once is the same commit again, also after a restart, with %s",
  async (strategy) => {
    const { project, request } = await conflict(MOODY, strategy);
    using _ = project;
    const first = await project.pawl.buildCandidate(request);
    expect(first).toMatchObject({ kind: "built", resolved: [{ index: 0, files: ["same.txt"] }] });
    expect(await restarted(project).buildCandidate(request)).toEqual(first);
    expect(scratch(project)).toEqual([]);
  },
);

test("after a crash at git.resolve.kept the same is made of the conflict", async () => {
  const { project, request } = await conflict(MOODY);
  using _ = project;
  const dying = restarted(project, { crash: crashAt("git.resolve.kept") });
  await expect(dying.buildCandidate(request)).rejects.toThrow("git.resolve.kept");
  const [kept] = readdirSync(join(project.hub, "pawl", "resolved"));
  const built = await restarted(project).buildCandidate(request);
  if (built.kind !== "built") throw new Error(built.kind);
  const blob = project.git(project.hub, "rev-parse", `${built.commit}:same.txt`);
  const path = join(project.hub, "pawl", "resolved", kept ?? "");
  expect(project.git(project.hub, "hash-object", path)).toBe(blob);
});

test("after a crash at git.resolve.ran it is resolved again, and stays so", async () => {
  const { project, request } = await conflict(MOODY);
  using _ = project;
  const dying = restarted(project, { crash: crashAt("git.resolve.ran") });
  await expect(dying.buildCandidate(request)).rejects.toThrow("git.resolve.ran");
  const built = await restarted(project).buildCandidate(request);
  expect(built.kind).toBe("built");
  expect(await project.pawl.buildCandidate(request)).toEqual(built);
});

test("without a resolver, and with one that does not help, the conflict is told with its files", async () => {
  const { project, request } = await conflict("exit 1\n");
  using _ = project;
  const plain = await project.pawl.buildCandidate({ ...request, resolve: undefined });
  expect(plain).toEqual({ kind: "conflict", index: 0, files: ["same.txt"], tips: [] });
  const tried = await project.pawl.buildCandidate(request);
  expect(tried).toMatchObject({ ...plain, why: expect.stringContaining("resolve same.txt") });
  expect(scratch(project)).toEqual([]);
});

test("where git cannot write the marks the resolver is not asked, and the conflict says so", async () => {
  const { project, request } = await conflict(MOODY);
  using _ = project;
  const own = join(project.root, "bin");
  mkdirSync(own);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const dies = `case "$1" in merge-file) echo "fatal: no memory" >&2; exit 128;; esac`;
  writeFileSync(join(own, "git"), `#!/bin/sh\n${dies}\nexec ${real} "$@"\n`, { mode: 0o755 });
  const env = { ...project.options.env, PATH: `${own}:${process.env["PATH"]}` };
  const built = await restarted(project, { env }).buildCandidate(request);
  expect(built).toMatchObject({ kind: "conflict", why: expect.stringContaining("no memory") });
});

test("what is remembered of the resolver has a limit in bytes, and the oldest goes first", async () => {
  const { project, request } = await conflict(MOODY);
  using _ = project;
  const folder = join(project.hub, "pawl", "resolved");
  mkdirSync(folder, { recursive: true });
  for (const [name, size, at] of [
    ["old", 1, 1],
    ["large", 256 * 1024 * 1024, 2],
    ["recent", 1, 3],
  ] as const) {
    writeFileSync(join(folder, name), "");
    truncateSync(join(folder, name), size);
    utimesSync(join(folder, name), at, at);
  }
  await project.pawl.buildCandidate(request);
  const names = readdirSync(folder);
  expect(names).toHaveLength(2);
  expect(names).toContain("recent");
});
