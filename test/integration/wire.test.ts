// The ports of a project are made once, however many ask for them at the same moment.
import { expect, test } from "vitest";
import { makeFactory, SCRIPT_AGENT } from "../support/pawl.ts";
import { openFactory, everyProject } from "../../src/daemon/host/factory.ts";
import { noLog } from "../../src/daemon/host/no-log.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { projectName } from "../../src/core/ids.ts";
import { join } from "node:path";

test("two effects of a start that touch the hub first do so through one git", async () => {
  await using factory = await makeFactory({ config: `${SCRIPT_AGENT}[ci]\nnone = true\n` });
  await factory.ok("issue", "add", "--title", "One");
  const opened = await openFactory({
    home: factory.home,
    runtime: join(factory.root, "own-run"),
    version: "test",
    log: noLog,
    crash: noCrash,
    scope: everyProject,
    wants: () => false,
    daemon: null,
  });
  try {
    const name = projectName(factory.project);
    const all = await Promise.all([1, 2, 3, 4].map(() => opened.ports.project(name)));
    // Each would make the hub: only one of them may be at it.
    const targets = await Promise.all(all.map(({ git }) => git.fetchTarget()));
    expect(new Set(targets).size).toBe(1);
  } finally {
    await opened.close();
  }
});
