import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isRelativePath, isSameUpstream, placeOf, upstreamOf } from "./upstream-of.ts";

test("a git that failed is not remembered as a repository without a remote", async () => {
  const root = mkdtempSync("/tmp/pawl-upstream-");
  onTestFinished(() => rmSync(root, { recursive: true }));
  const git = (...args: string[]) => execFileSync("git", ["-C", root, ...args]);
  git("init", "-q");
  git("remote", "add", "origin", "/srv/origin.git");
  const head = join(root, ".git", "HEAD");
  renameSync(head, `${head}.away`);
  expect(await upstreamOf(root)).toMatchObject({ kind: "local" });
  renameSync(`${head}.away`, head);
  expect(await upstreamOf(root)).toMatchObject({ kind: "remote", url: "/srv/origin.git" });
  git("remote", "set-url", "origin", "/srv/other.git");
  expect(await upstreamOf(root)).toMatchObject({ url: "/srv/other.git" });
});

test.each([
  ["../origin.git", true],
  ["./x", true],
  ["origin.git", true],
  ["a/b:c", true],
  ["/srv/origin.git", false],
  ["file:///srv/origin.git", false],
  ["https://forge/a/b.git", false],
  ["git@forge:a/b.git", false],
  ["forge:b.git", false],
  ["ext::sh -c id", false],
])("whether %s is a path from the work tree: %s", (url, isRelative) => {
  expect(isRelativePath(url)).toBe(isRelative);
});

test("a relative remote in the journal of an earlier version is the same remote as its absolute path", () => {
  const remote = (url: string) => ({ kind: "remote", url, path: "/home/ada/toy" }) as const;
  expect(isSameUpstream(remote("../origin.git"), remote("/home/ada/origin.git"))).toBe(true);
  expect(isSameUpstream(remote("../other.git"), remote("/home/ada/origin.git"))).toBe(false);
});

test.each([
  ["https://forge.test/ada/toy.git", "git@forge.test:ada/toy", true],
  ["https://ada@Forge.test/ada/toy", "ssh://git@forge.test:2222/ada/toy.git/", true],
  ["https://forge.test/ada/toy.git", "https://forge.test/bob/toy.git", false],
  ["https://forge.test/ada/toy.git", "https://mirror.test/ada/toy.git", false],
  ["https://forge.test/ada/toy.git", "no_push", false],
  ["/srv/a.git", "/srv/b.git", false],
  ["/srv/a.git", "file:///srv/a/", true],
  ["https://github.com/Ada/toy", "ssh://git@ssh.github.com:443/ada/toy.git", true],
])("%s and %s are the same place: %s", (a, b, isSame) => {
  expect(placeOf(a) === placeOf(b)).toBe(isSame);
});
