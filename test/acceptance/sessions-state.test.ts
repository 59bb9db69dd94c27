// The published state of agents: where it is written, and what it says of earlier lives, of files
// and of formula steps.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import type { AgentView } from "../../src/api/agents.ts";
import type { HookView } from "../../src/api/hooks.ts";
import type { QueueRow } from "../../src/core/merge-queue/view.ts";
import { sessionFactory } from "../support/sessions.ts";

const read = <T>(...path: string[]): T => JSON.parse(readFileSync(join(...path), "utf8")) as T;

test("R1.1: a relative state_dir is inside the repository, whatever folder the daemon works in", async () => {
  await using factory = await sessionFactory("await never\n");
  const name = `state-${basename(factory.root)}`;
  const config = factory
    .left("repo/pawl.toml")
    .replace("[project]", `[project]\nstate_dir = "${name}"`);
  factory.commit({ "pawl.toml": config, ".gitignore": `/${name}/\n` }, "Publish here");
  await factory.addIssue({ title: "Wait" });
  // As `up` starts it: its own folder is the root of the file system.
  await factory.ok("up");
  const agent = await factory.started(1);
  const folder = join(factory.repo, name);
  expect(agent.hook_path).toBe(join(folder, "hooks/dev-1.json"));
  expect(read<AgentView>(folder, "identities/dev-1.json")).toMatchObject({ status: "active" });
  expect(read<HookView>(folder, "hooks/dev-1.json")).toMatchObject({ current_bead: "1" });
  await factory.until("the queue is published there", async () =>
    existsSync(join(folder, "merge-queue.json")),
  );
  expect(existsSync(join("/", name))).toBe(false);
  expect(factory.git("status", "--porcelain")).toBe("");
});

test("R1.1: two projects never publish into one folder", async () => {
  await using factory = await sessionFactory("await never\n");
  const shared = join(factory.root, "shared");
  const config = factory
    .left("repo/pawl.toml")
    .replace("[project]", `[project]\nstate_dir = "${shared}"`);
  factory.commit({ "pawl.toml": config }, "Publish there");
  await factory.ok("issue", "add", "--title", "One");
  const twin = join(factory.root, "twin");
  mkdirSync(twin);
  factory.gitIn(factory.root, "clone", "-q", factory.repo, twin);
  writeFileSync(join(twin, "pawl.toml"), config.replace(factory.project, `${factory.project}b`));
  await expect(factory.client.post("/v1/projects", { folder: twin })).rejects.toThrow(
    `project "${factory.project}" publishes its state there`,
  );
});

test("R1.8: the predecessor's record stays readable by its id, and says that it crashed", async () => {
  await using factory = await sessionFactory("await never\n");
  await factory.addIssue({ title: "Wait" });
  await factory.daemon();
  const first = await factory.started(1);
  process.kill(first.pid ?? 0, "SIGKILL");
  const second = await factory.started(2);
  const id = second.predecessor_id ?? "";
  const crashed = {
    session_id: id,
    status: "crashed",
    verdict: "crashed",
    pid: first.pid,
    epoch: 1,
  };
  const records = JSON.parse(await factory.ok("agents", id, "--json")) as AgentView[];
  expect(records).toMatchObject([crashed]);
  const lives = JSON.parse(await factory.ok("agents", "dev-1", "--json")) as AgentView[];
  expect(lives.map(({ epoch, status }) => [epoch, status])).toEqual([
    [1, "crashed"],
    [2, "active"],
  ]);
  expect(await factory.ok("agents", "dev-1")).toContain("crashed");
  expect(read<AgentView>(factory.projectDir, "state/identities", `${id}.json`)).toMatchObject(
    crashed,
  );
});

test("R2.1: files_modified follows commits and files, without any event of a tool", async () => {
  await using factory = await sessionFactory(`
mkdir src && echo one > src/committed.txt && git add -A && git commit -qm One
echo two > open.txt
note written
await never
`);
  await factory.addIssue({ title: "Write" });
  await factory.daemon();
  await factory.started(1);
  await factory.until("both files are in the hook", async () => {
    const { files_modified: files } = factory.hookFile();
    return files.includes("src/committed.txt") && files.includes("open.txt");
  });
  expect(factory.hookFile().files_modified.toSorted()).toEqual(["open.txt", "src/committed.txt"]);
});

const FORMULA = `
formula = "tidy"
[[steps]]
id = "write"
title = "Write the notes"
role = "action"
output = "branch"
description = "Write notes.txt."
`;

test("R1.2, R2.1, R3.1: node_id, current_node and the queue name the step of the formula", async () => {
  await using factory = await sessionFactory(`
await go
echo notes > notes.txt && git add -A && git commit -qm Notes && phase awaiting_ci
await never
`);
  factory.commit({ ".pawl/formulas/tidy.toml": FORMULA }, "A formula");
  await factory.daemon();
  await factory.ok("formula", "run", "tidy", "--detach");
  const agent = await factory.until("the step has an agent", async () =>
    (await factory.agents()).find(({ role, pid }) => role === "action" && pid !== null),
  );
  expect(agent.node_id).toBe("write");
  expect(factory.hookFile(agent.identity)).toMatchObject({ current_node: "write" });
  factory.allow("go");
  const rows = await factory.until("it was in the queue", async () => {
    const listed = JSON.parse(
      await factory.ok("merge-queue", "list", "--all", "--json"),
    ) as QueueRow[];
    return listed.length > 0 && listed;
  });
  expect(rows[0]).toMatchObject({ node_id: "write", identity_name: agent.identity });
});
