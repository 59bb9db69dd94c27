// Workspaces of issues that did not land are saved and removed once nothing was done there for long.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expireWorkspaces } from "../../src/daemon/host/expire-workspaces.ts";
import { everyProject, openFactory } from "../../src/daemon/host/factory.ts";
import { noLog } from "../../src/daemon/host/no-log.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { LIMITS, makeFactory, shellAgent, type Factory } from "../support/pawl.ts";

const DAY_MS = 86_400_000;
const AGENT = 'echo half > work.txt; touch "$HOME/begun"; sleep 300\n';

/** As the daemon's maintenance does it, so many days from now. */
async function expireAfter(factory: Factory, days: number, log = noLog): Promise<void> {
  const opened = await openFactory({
    home: factory.home,
    runtime: join(factory.root, "own-run"),
    version: "test",
    log: noLog,
    crash: noCrash,
    scope: everyProject,
    wants: () => false,
    observes: false,
    daemon: null,
  });
  try {
    const now = Date.now() + days * DAY_MS;
    await expireWorkspaces(opened, { now, log, kept: new Set() });
  } finally {
    await opened.close();
  }
}

test("the workspace of a blocked issue is saved and removed after the days that pawl.toml says", async () => {
  const config = `${shellAgent()}[workspace]\nkeep_days = 7\n[ci]\nnone = true\n${LIMITS}`;
  await using factory = await makeFactory({ config, files: { "agent.sh": AGENT } });
  await factory.ok("issue", "add", "--title", "One");
  await factory.ok("up");
  await factory.until("the agent to begin", async () =>
    existsSync(join(factory.env["HOME"] ?? "", "begun")),
  );
  const workspace = join(factory.home, "projects", factory.project, "workspaces", "dev-1");
  await factory.ok("issue", "edit", "1", "--add-label", "blocked");
  await factory.until("the run to be over", async () =>
    (await factory.ok("history")).includes("One"),
  );
  await factory.ok("down");
  await expireAfter(factory, 6);
  expect(existsSync(join(workspace, "work.txt"))).toBe(true);
  await expireAfter(factory, 8);
  expect(existsSync(workspace)).toBe(false);
  const to = join(factory.root, "restored");
  await factory.ok("checkpoint", "restore", "1", "--to", to);
  expect(readFileSync(join(to, "work.txt"), "utf8")).toBe("half\n");
});

test("a workspace whose teardown fails stays and is named, and keeps no other from being removed", async () => {
  const config = `${shellAgent()}[workspace]\nteardown = "test ! -e in-use"\n[ci]\nnone = true\n${LIMITS}`;
  const agent =
    '[ "$PAWL_ISSUE" != 1 ] || touch in-use; touch "$HOME/begun-$PAWL_ISSUE"; sleep 300\n';
  await using factory = await makeFactory({ config, files: { "agent.sh": agent } });
  for (const title of ["One", "Two"]) await factory.ok("issue", "add", "--title", title);
  await factory.ok("up");
  for (const issue of ["1", "2"]) {
    await factory.until(`agent ${issue} to begin`, async () =>
      existsSync(join(factory.env["HOME"] ?? "", `begun-${issue}`)),
    );
    await factory.ok("issue", "edit", issue, "--add-label", "blocked");
  }
  await factory.until("the runs to be over", async () => {
    const past = await factory.ok("history");
    return past.includes("One") && past.includes("Two");
  });
  await factory.ok("down");
  const failed: Record<string, unknown>[] = [];
  const error = (facts: Record<string, unknown>, text: string): void =>
    void failed.push({ ...facts, text });
  await expireAfter(factory, 31, { ...noLog, error });
  const workspaces = join(factory.home, "projects", factory.project, "workspaces");
  expect(existsSync(join(workspaces, "dev-1", "in-use"))).toBe(true);
  expect(existsSync(join(workspaces, "dev-2"))).toBe(false);
  expect(failed).toEqual([
    {
      text: "cannot remove a workspace that was not used for long",
      path: join(workspaces, "dev-1"),
      error: expect.stringContaining("test ! -e in-use") as string,
    },
  ]);
});
