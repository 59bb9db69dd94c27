// Paths from a branch or from the configuration never lead out of their root: a report, and the
// files that a set-up copies.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBuiltinCi } from "../../src/adapters/ci-builtin/builtin-ci.ts";
import { createWorkspaces } from "../../src/adapters/workspace-setup/workspace-setup.ts";
import { treeId } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { gitProject } from "../support/git-project.ts";

function place() {
  const root = mkdtempSync(join(tmpdir(), "pawl-outside-"));
  const folder = (name: string): string => {
    mkdirSync(join(root, name), { recursive: true });
    return join(root, name);
  };
  const precious = folder("precious");
  writeFileSync(join(precious, "junit.xml"), "precious\n");
  const setUp = (copy: string[]) =>
    createWorkspaces({}).setUp({
      path: folder("workspace"),
      from: folder("checkout"),
      copy,
      command: undefined,
      env: {},
      timeoutMs: 10_000,
    });
  return {
    root,
    folder,
    precious,
    setUp,
    [Symbol.dispose]: (): void => rmSync(root, { recursive: true, force: true }),
  };
}

test("a report behind a link that a branch committed is neither removed nor read", async () => {
  using project = gitProject("local");
  using at = place();
  symlinkSync(at.precious, join(project.user, "out"));
  const commit = project.commit(project.user, { "n.txt": "1\n" });
  await project.pawl.fetchTarget();
  const ci = createBuiltinCi({
    dir: join(at.root, "ci"),
    git: project.pawl,
    records: { get: async () => undefined, put: async () => undefined },
    environment: { PATH: process.env["PATH"] ?? "" },
    slots: 1,
    now: () => 0,
    crash: noCrash,
    graceMs: 200,
  });
  const outcome = await ci.check({
    key: "run/toy/1.1/ci",
    commit,
    tree: treeId(project.git(project.user, "rev-parse", `${commit}^{tree}`)),
    gates: [{ name: "unit", command: "true", timeoutMs: 60_000, report: "out/junit.xml" }],
    setup: undefined,
    keep: [],
    history: false,
    tries: 1,
    signal: new AbortController().signal,
  });
  expect(readFileSync(join(at.precious, "junit.xml"), "utf8")).toBe("precious\n");
  expect(outcome).toMatchObject({ kind: "failed" });
});

test("a set-up copies nothing through a link of the workspace", async () => {
  using at = place();
  writeFileSync(join(at.folder("checkout/conf"), ".env"), "KEY=1\n");
  symlinkSync(at.precious, join(at.folder("workspace"), "conf"));
  await expect(at.setUp(["conf/.env"])).rejects.toThrow("leads out of its folder");
  expect(readdirSync(at.precious)).toEqual(["junit.xml"]);
});

test("a set-up reads nothing through a folder of the checkout that is a link", async () => {
  using at = place();
  symlinkSync(at.precious, join(at.folder("checkout"), "conf"));
  at.folder("workspace");
  await at.setUp(["conf/junit.xml"]);
  expect(existsSync(join(at.folder("workspace"), "conf", "junit.xml"))).toBe(false);
});

test("of a link to a file a set-up copies the content, so that an agent's edit stays in its workspace", async () => {
  using at = place();
  chmodSync(join(at.precious, "junit.xml"), 0o600);
  symlinkSync("../precious/junit.xml", join(at.folder("checkout"), ".env"));
  const copied = join(at.folder("workspace"), ".env");
  await at.setUp([".env"]);
  expect(lstatSync(copied).isFile()).toBe(true);
  expect(lstatSync(copied).mode & 0o777).toBe(0o600);
  expect(readFileSync(copied, "utf8")).toBe("precious\n");
  writeFileSync(copied, "an agent's\n");
  await at.setUp([".env"]);
  expect(readFileSync(copied, "utf8")).toBe("an agent's\n");
  expect(readFileSync(join(at.precious, "junit.xml"), "utf8")).toBe("precious\n");
});

test("a link to a folder, to nothing or to a pipe is copied as a link", async () => {
  using at = place();
  execFileSync("mkfifo", [join(at.precious, "pipe")]);
  const links = { folder: "../precious", nothing: "../precious/none", pipe: "../precious/pipe" };
  for (const [name, to] of Object.entries(links))
    symlinkSync(to, join(at.folder("checkout"), name));
  const workspace = at.folder("workspace");
  await at.setUp(Object.keys(links));
  const found = Object.keys(links).map((name) => readlinkSync(join(workspace, name)));
  expect(found).toEqual([at.precious, join(at.precious, "none"), join(at.precious, "pipe")]);
});

test.each(["../precious/junit.xml", "/etc/hostname"])(
  "a set-up refuses to copy %s",
  async (path) => {
    using at = place();
    at.folder("checkout");
    await expect(at.setUp([path])).rejects.toThrow("leads out of its folder");
  },
);

test("a folder under copy is copied once, links as links and without pipes", async () => {
  using at = place();
  const conf = at.folder("checkout/conf/deep");
  writeFileSync(join(conf, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  symlinkSync("../../../precious", join(conf, "link"));
  execFileSync("mkfifo", [join(conf, "pipe")]);
  const copied = join(at.folder("workspace"), "conf", "deep");
  await at.setUp(["conf"]);
  expect(readdirSync(copied).toSorted()).toEqual(["link", "run.sh"]);
  expect(lstatSync(join(copied, "run.sh")).mode & 0o777).toBe(0o755);
  expect(readlinkSync(join(copied, "link"))).toBe("../../../precious");
  writeFileSync(join(copied, "run.sh"), "an agent's\n");
  await at.setUp(["conf"]);
  expect(readFileSync(join(copied, "run.sh"), "utf8")).toBe("an agent's\n");
  expect(readdirSync(at.folder("workspace"))).toEqual(["conf"]);
});

test("a pipe under copy is refused by name", async () => {
  using at = place();
  execFileSync("mkfifo", [join(at.folder("checkout"), "pipe")]);
  await expect(at.setUp(["pipe"])).rejects.toThrow("it is not a file");
});
