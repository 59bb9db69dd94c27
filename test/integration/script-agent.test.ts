import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createScriptAgent } from "../../src/adapters/agent-script/script-agent.ts";
import { messageFile, type MessageKind } from "../../src/core/run/message.ts";
import { branchTooLarge, noCommits } from "../../src/core/words/messages.ts";
import { SYSTEM_GITCONFIG } from "../support/system-gitconfig.ts";

let root = "";
let agent: ChildProcess | undefined;
let messages = 0;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "pawl-script-"));
  messages = 0;
  await mkdir(join(root, "epoch", "inbox", "new"), { recursive: true });
  await mkdir(join(root, "epoch", "inbox", "cur"));
  git(root, "init", "-q", "-b", "trunk", "upstream");
  write("upstream/README.md", "toy\n");
  commit("upstream", "start");
  git(root, "clone", "-q", "upstream", "workspace");
  // As in Pawl's workspaces: the target is the only branch of origin, and it is not named.
  git(join(root, "workspace"), "remote", "set-head", "origin", "--delete");
  git(join(root, "workspace"), "switch", "-q", "-c", "pawl/7");
});

afterEach(async () => {
  if (agent?.exitCode === null && agent.signalCode === null) {
    agent.kill("SIGKILL");
    await once(agent, "exit");
  }
  agent = undefined;
  await rm(root, { recursive: true, force: true });
});

const ENV = () => ({
  PATH: process.env["PATH"],
  HOME: root,
  GIT_CONFIG_GLOBAL: "/dev/null",
  ...SYSTEM_GITCONFIG,
  GIT_AUTHOR_NAME: "Toy",
  GIT_AUTHOR_EMAIL: "toy@example.org",
  GIT_COMMITTER_NAME: "Toy",
  GIT_COMMITTER_EMAIL: "toy@example.org",
});

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", args, { cwd, env: ENV(), encoding: "utf8" }).trim();

const write = (path: string, text: string): void => writeFileSync(join(root, path), text);

function commit(repository: string, message: string): void {
  git(join(root, repository), "add", "-A");
  git(join(root, repository), "commit", "-q", "-m", message);
}

const log = (): string[] =>
  git(join(root, "workspace"), "log", "--format=%s", "origin/trunk..HEAD").split("\n");

const fence = (tag: string, ...lines: string[]): string =>
  ["```" + tag, ...lines, "```", ""].join("\n");

/** Starts the agent on an issue, the way a session does. */
async function start(issue: string, epoch = 1): Promise<ChildProcess> {
  const promptFile = join(root, "epoch", "prompt.md");
  const prompt = `# Contract\n\n${fence("sh", "echo wrong > wrong")}\n<!-- pawl:issue -->\n${issue}\n<!-- /pawl:issue -->\n`;
  await writeFile(promptFile, prompt);
  const config = { runtime: "script", command: [], passEnv: [], env: {} };
  const workspace = join(root, "workspace");
  const dir = join(root, "epoch");
  const launch = createScriptAgent().launch({
    agent: config,
    promptFile,
    workspace,
    dir,
    resume: undefined,
    env: {},
    protocol: "",
    heartbeat: join(root, "heartbeat"),
    quietMs: 60_000,
  });
  const [program = "", ...args] = (await launch).argv;
  agent = spawn(program, args, {
    cwd: workspace,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...ENV(),
      PAWL_PROMPT_FILE: promptFile,
      PAWL_PHASE_FILE: join(dir, "phase"),
      PAWL_INBOX: join(dir, "inbox"),
      PAWL_ISSUE: "7",
      PAWL_EPOCH: String(epoch),
    },
  });
  return agent;
}

/** The next phase the agent writes; removed, so that the same one can be awaited again. */
async function nextPhase(): Promise<string> {
  const file = join(root, "epoch", "phase");
  await new Promise<void>((resolve) => {
    const watcher = watch(join(root, "epoch"), look);
    function look(): void {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    }
    look();
  });
  const text = readFileSync(file, "utf8").trimEnd();
  await rm(file);
  return text;
}

async function send(kind: MessageKind, text = "text"): Promise<void> {
  const id = `m${++messages}`;
  const inbox = join(root, "epoch", "inbox");
  await writeFile(join(inbox, `${id}.tmp`), messageFile({ id, kind, text, urgent: false }));
  await rename(join(inbox, `${id}.tmp`), join(inbox, "new", `${id}.md`));
}

const WORK = fence("sh", "echo hello > hello.txt");

test("the issue's block is run, committed, handed to CI, and the agent goes when it has landed", async () => {
  const child = await start(`# #7 Say hello\n\nPlease.\n\n${WORK}`);
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  expect(log()).toEqual(["Say hello (#7)"]);
  expect(git(join(root, "workspace"), "show", "--stat", "--format=", "HEAD")).toContain(
    "hello.txt",
  );
  expect(git(join(root, "workspace"), "status", "--porcelain")).toBe("");
  await send("ci-passed");
  expect(await nextPhase()).toBe("PHASE:awaiting_review");
  for (let count = 0; count < 9; count++) await send("approved");
  await send("landed");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await readdir(join(root, "epoch", "inbox", "cur"))).toHaveLength(11);
});

test("a block that commits by itself gets no second commit", async () => {
  await start(`# Own\n${fence("sh", "echo a > a", "git add a", "git commit -qm mine")}`);
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  expect(log()).toEqual(["mine"]);
});

test("blocks quoted in other fences, other languages and Windows line ends are told apart", async () => {
  const quoted = ["````md", fence("sh", "exit 9"), "````"].join("\n");
  const issue = `# T\n${quoted}\n${fence("shell", "exit 9")}\n~~~sh  \necho one > one\n~~~\n${fence("sh", "exit 9")}`;
  await start(issue.replaceAll("\n", "\r\n"));
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  expect(readFileSync(join(root, "workspace", "one"), "utf8")).toBe("one\n");
});

test("a block that fails stops at the first error and says so", async () => {
  const child = await start(
    `# T\n${fence("sh", "echo half > half", "(exit 2)", "echo never > never")}`,
  );
  // It leaves at once: the exit may come before the phase was read.
  const exit = once(child, "exit");
  expect(await nextPhase()).toBe("PHASE:failed\nReason: the sh block of the issue failed (exit 2)");
  expect(await exit).toEqual([0, null]);
  expect(existsSync(join(root, "workspace", "never"))).toBe(false);
});

test("an issue without a block is refused", async () => {
  await start("# Think about it\n\nNo code here.");
  expect(await nextPhase()).toBe(
    "PHASE:failed\nReason: the issue has no fenced block that starts with ```sh",
  );
});

test("a block that changes nothing ends the run when Pawl says that there are no commits", async () => {
  const child = await start(`# T\n${fence("sh", "echo toy > README.md")}`);
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  // It leaves at once: the exit may come before the phase was read.
  const exit = once(child, "exit");
  await send("notice", noCommits("pawl/7"));
  expect(await nextPhase()).toBe(
    "PHASE:failed\nReason: already_done: the blocks of the issue changed nothing",
  );
  expect(await exit).toEqual([0, null]);
});

test("a branch that is too large for Pawl goes to a person", async () => {
  await start(`# T\n${WORK}`);
  await nextPhase();
  await send("notice", branchTooLarge("pawl/7", { mb: 70, maxMb: 50 }));
  expect(await nextPhase()).toMatch(/^PHASE:escalate\nReason: The branch pawl\/7 adds 70 MB/);
});

test("red CI runs the block for it, which can read the message", async () => {
  const fix = fence("sh on-ci-failure", 'grep "exit code 3" "$PAWL_MESSAGE_FILE" > fix.txt');
  await start(`# Fix\n${WORK}${fix}`);
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  await send("ci-failed", "CI failed (1 of 3).\nexit code 3");
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  expect(log()).toEqual(["Fix (#7)", "Fix (#7)"]);
});

test("red CI without a block for it is a failure with its reason", async () => {
  const child = await start(`# T\n${WORK}`);
  await nextPhase();
  // It leaves at once: the exit may come before the phase was read.
  const exit = once(child, "exit");
  await send("tests-failed");
  expect(await nextPhase()).toBe(
    "PHASE:failed\nReason: the tests failed on the target, and the issue has no block `sh on-ci-failure`",
  );
  expect(await exit).toEqual([0, null]);
});

test("requested changes run the block for them, or ask a person, whose answer goes on", async () => {
  await start(`# T\n${WORK}`);
  await nextPhase();
  await send("review-changes", "rename it");
  expect(await nextPhase()).toBe(
    "PHASE:escalate\nReason: changes were requested, and the issue has no block `sh on-review`",
  );
  await send("answer", `try this:\n\n${fence("sh", "git mv hello.txt hi.txt")}`);
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  expect(existsSync(join(root, "workspace", "hi.txt"))).toBe(true);
  await send("answer", "just go on");
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
});

test("a conflict is rebased away where git can", async () => {
  await start(`# T\n${WORK}`);
  await nextPhase();
  write("upstream/other.txt", "other\n");
  commit("upstream", "other work");
  await send("conflict");
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  expect(log()).toEqual(["T (#7)"]);
  expect(existsSync(join(root, "workspace", "other.txt"))).toBe(true);
});

test("a conflict that git cannot solve goes to a person, with the branch as it was", async () => {
  await start(`# T\n${WORK}`);
  await nextPhase();
  const before = git(join(root, "workspace"), "rev-parse", "HEAD");
  write("upstream/hello.txt", "goodbye\n");
  commit("upstream", "goodbye");
  await send("conflict");
  expect(await nextPhase()).toBe(
    "PHASE:escalate\nReason: the branch conflicts with origin/trunk, and the issue has no block `sh on-conflict`",
  );
  expect(git(join(root, "workspace"), "rev-parse", "HEAD")).toBe(before);
  expect(git(join(root, "workspace"), "branch", "--show-current")).toBe("pawl/7");
});

test("a conflict runs the block for it, after a fetch", async () => {
  const solve = fence(
    "sh on-conflict",
    "git rebase -q origin/trunk || { echo both > hello.txt; git add hello.txt; GIT_EDITOR=true git rebase --continue; }",
  );
  await start(`# T\n${WORK}${solve}`);
  await nextPhase();
  write("upstream/hello.txt", "goodbye\n");
  commit("upstream", "goodbye");
  await send("conflict");
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  expect(log()).toEqual(["T (#7)"]);
  expect(readFileSync(join(root, "workspace", "hello.txt"), "utf8")).toBe("both\n");
});

test("a later life does not redo finished work, but saves what was left uncommitted", async () => {
  write("workspace/done.txt", "done\n");
  commit("workspace", "finished");
  write("workspace/rest.txt", "rest\n");
  await start(`# T\n${fence("sh", "exit 9")}`, 2);
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  expect(log()).toEqual(["T (#7)", "finished"]);
});

test("a later life without any commit starts from the beginning", async () => {
  await start(`# T\n${WORK}`, 2);
  expect(await nextPhase()).toBe("PHASE:awaiting_ci");
  expect(log()).toEqual(["T (#7)"]);
});

test("a nudge is answered with the phase as it stands", async () => {
  await start(`# T\n${WORK}`);
  await nextPhase();
  await send("review-changes");
  const escalated = await nextPhase();
  await send("nudge");
  expect(await nextPhase()).toBe(escalated);
});
