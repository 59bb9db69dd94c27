// Options that no other end-to-end test types: each one is typed here, and seen to do what its help
// says. One daemon, one project with something of everything, and a second one for `--all`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ThreadView } from "../../src/api/mail.ts";
import type { VaultView } from "../../src/api/vault.ts";
import { makeFactory, SCRIPT_AGENT, type Background, type Factory } from "../support/pawl.ts";
import { startReceiver } from "../support/receiver.ts";
import { sessionFactory } from "../support/sessions.ts";

const AGENT = `
[ -e draft.txt ] && exec sleep 1000
case $PAWL_NAME in
  1) echo "the first line"
    pawl hook set --tests failed --file src/a.ts --file src/b.ts
    echo one > draft.txt
    await more && echo two >> draft.txt
    await land && echo "the last line"
    git add -A && git commit -qm Draft && phase awaiting_ci
    await never ;;
  2) pawl phase failed --refused unmet_dependency --blocked-by 1 --reason "start with #1" ;;
  *) exec sleep 1000 ;;
esac
`;

const MORE = `
[schedule.nightly]
cron = "0 3 * * *"
formula = "sweep"
[patrol]
deacon = "1 h"
[[notify]]
kind = "command"
command = ["sh", "-c", "cat >> $HOME/news"]
severity = "info"
[vault]
secrets = ["HOOK_TOKEN"]
[[vault.policy]]
type = "forge"
risk = "medium"
decide = "allow"
[[vault.policy]]
type = "webhook"
risk = "medium"
decide = "allow"
[[vault.policy]]
type = "command"
decide = "allow"
[[vault.policy]]
type = "note"
decide = "allow"
`;

const PLUGIN = '---\ngate: {type: manual}\nrun: [echo, "swept"]\n---\n';
const NOTE = '#!/bin/sh\nprintf %s "$HOOK_TOKEN" > "$HOME/noted"\n';

let factory: Awaited<ReturnType<typeof sessionFactory>>;
/** Another project of the same factory. */
let other: Factory;
let daemon: Background;

beforeAll(async () => {
  factory = await sessionFactory(AGENT, { more: MORE });
  factory.env["HOOK_TOKEN"] = "s3cret";
  const files = { "plugins/sweep/plugin.md": PLUGIN, "vault/handlers/note": NOTE };
  factory.commit(files, "Have something of everything");
  const { home } = factory;
  const env = { XDG_RUNTIME_DIR: factory.env["XDG_RUNTIME_DIR"] ?? "", MAX_REVIEW_CYCLES: "1" };
  other = await makeFactory({ home, env, config: `${SCRIPT_AGENT}[ci]\nnone = true\n` });
  await factory.addIssue({ title: "Draft" });
  await factory.addIssue({ title: "After the draft" });
  await factory.addIssue({ title: "Never begin" });
  daemon = await factory.daemon();
  await other.register();
});

afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await factory[Symbol.asyncDispose]();
});

const json = async <T = unknown>(...args: string[]): Promise<T> =>
  JSON.parse(await factory.ok(...args)) as T;

const inUser = (name: string): string => join(factory.root, "user", name);

/** A file outside the repository, by its path. */
function file(name: string, text: string): string {
  const path = join(factory.root, name);
  writeFileSync(path, text);
  return path;
}

test("a gate asks its question, is overdue in time, is tried as often as said, and is refused", async () => {
  const looks = `echo look >> "$HOME/looks"; test "$(wc -l < "$HOME/looks")" -ge 3`;
  const command = ["--command", looks, "--every", "1 s"];
  const tried = await factory.ok("gate", "create", "--type", "command", ...command);
  const human = ["--type", "human", "--question", "Ship it?", "--timeout", "50 ms"];
  const asked = await factory.ok("gate", "create", ...human);
  type Gates = { id: string; state: string; waits_for: string }[];
  const gates = (): Promise<Gates> => factory.client.get<Gates>("/v1/gates?all=true");
  const comes = (id: string, state: string) =>
    factory.until(`gate ${id} is ${state}`, async () =>
      (await gates()).find((one) => one.id === id && one.state === state),
    );
  expect(await comes(asked, "overdue")).toMatchObject({ waits_for: "human: Ship it?" });
  await overdueIsAsked();
  await factory.ok("gate", "close", asked, "--refuse", "--reason", "not on a Friday");
  await comes(asked, "refused");
  // By itself it would be tried once a minute.
  await comes(tried, "closed");
});

/**
 * For every kind of gate: a person is asked, may put it off, and their answer wakes the waiters.
 */
async function overdueIsAsked(): Promise<void> {
  const late = ["--type", "mail", "--question", "A letter", "--timeout", "1 h"];
  const gate = await factory.ok("gate", "create", ...late);
  type Question = { identity: string; since: string; choices: string[] };
  const questions = async (): Promise<Question[]> =>
    (await json<Question[]>("escalation", "list", "--json")).filter(
      ({ identity }) => identity === `gate:${gate}`,
    );
  expect(await questions()).toEqual([]);
  const early = await factory.pawl("escalation", "answer", `gate:${gate}`, "close");
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("nothing to answer")]);
  const short = ["--type", "mail", "--question", "A letter", "--timeout", "50 ms"];
  const asked = await factory.ok("gate", "create", ...short, "--waiter", "dev-1");
  const listed = (): Promise<boolean> =>
    factory.until("it is an escalation", async () => {
      const all = await factory.client.get<Question[]>("/v1/escalations");
      return all.some(({ identity }) => identity === `gate:${asked}`);
    });
  await listed();
  expect(await factory.ok("escalation", "show", `gate:${asked}`)).toContain("close, refuse, wait");
  const no = await factory.pawl("escalation", "answer", `gate:${asked}`, "maybe");
  expect([no.code, no.stderr]).toEqual([2, expect.stringContaining("one of: close, refuse, wait")]);
  await factory.ok("escalation", "answer", `gate:${asked}`, "wait");
  await listed();
  await factory.ok("escalation", "answer", `gate:${asked}`, "close: it came by phone");
  const closed = (
    await json<{ id: string; reason: string }[]>("gate", "list", "--state", "all", "--json")
  )
    .filter(({ id }) => id === asked)
    .map(({ reason }) => reason);
  expect(closed).toEqual(["it came by phone"]);
  const letters = await json<{ subject: string }[]>("mail", "inbox", "--for", "dev-1", "--json");
  expect(letters.map(({ subject }) => subject)).toContain(`gate ${asked} is closed: A letter`);
  await factory.ok("gate", "close", gate, "--reason", "enough");
}

test("letters are taken from files", async () => {
  const body = file("letter.txt", "As long\nas it takes.\n");
  const words = ["--subject", "A long one", "--body-file", body];
  const letter = await factory.ok("mail", "send", "operator", ...words);
  const answer = file("answer.txt", "Read.\n");
  const reply = await factory.ok("mail", "reply", letter, "--body-file", answer);
  const read = await factory.client.get<ThreadView>(`/v1/mail/${letter}`);
  expect([read.letter, ...read.thread].map((one) => [one.id, one.body.trim()])).toEqual([
    [letter, "As long\nas it takes."],
    [reply, "Read."],
  ]);
});

test("--all-projects shows every project, and without it only one's own", async () => {
  await factory.ok("plugin", "run", "sweep");
  await factory.until("it has run", async () => {
    const runs = await factory.client.get<{ result: string }[]>("/v1/plugins/log");
    return runs.some(({ result }) => result === "succeeded");
  });
  const seenFromOther = async (...args: string[]): Promise<string[]> => {
    const rows = JSON.parse(await other.ok(...args, "--json")) as { project: string }[];
    return [...new Set(rows.map(({ project }) => project))].toSorted();
  };
  const both = [factory.project, other.project].toSorted();
  expect(await seenFromOther("patrol", "status", "--all-projects")).toEqual(both);
  expect(await seenFromOther("patrol", "status")).toEqual([other.project]);
  const lists = [
    ["schedule", "list"],
    ["plugin", "list"],
    ["notify", "list"],
  ];
  for (const words of lists) {
    const [all, own] = await Promise.all([
      seenFromOther(...words, "--all-projects"),
      seenFromOther(...words),
    ]);
    expect([words, all, own]).toEqual([words, [factory.project], []]);
  }
  expect(await other.ok("plugin", "log", "--all-projects")).toContain("swept");
  expect(await other.ok("plugin", "log")).toBe("");
});

test("a channel is tried out, and the doctor names what is well", async () => {
  expect(await json("notify", "test", "--json")).toMatchObject([
    { project: factory.project, kind: "command", trouble: null },
  ]);
  expect(readFileSync(inUser("news"), "utf8")).toContain("a test message from Pawl");
  const [much, little] = await Promise.all([
    factory.pawl("doctor", "--verbose"),
    factory.pawl("doctor"),
  ]);
  expect(much.stdout).toMatch(/^tools\tok/m);
  expect(little.stdout).not.toMatch(/\tok\t/);
});

test("every option of a request to the vault reaches what is carried out", async () => {
  await using receiver = await startReceiver();
  const issue = await factory.ok("issue", "add", "--title", "Labels", "--label", "later");
  const request = (id: string, ...args: string[]): Promise<VaultView> =>
    json<VaultView>("vault", "request", "--id", id, "--what", id, "--json", ...args);
  const news = file("news.json", '{"news":1}');
  const labels = ["--forge", "label", "--issue", issue, "--label", "soon", "--unlabel", "later"];
  const shell = ["--command", "--", "sh", "-c", 'echo "$GREETING" > "$HOME/greeted"'];
  const [, labelled, , , risky] = await Promise.all([
    request("put", "--webhook", receiver.url, "--method", "PUT", "--body-file", news),
    request("labels", ...labels, "--reversible"),
    request("greet", "--env", "GREETING=hello", ...shell),
    request("note", "--type", "note", "--secret", "HOOK_TOKEN"),
    request("risky", "--forge", "comment", "--issue", issue, "--body", "x", "--risk", "high"),
  ]);
  expect(labelled).toMatchObject({ reversible: true, risk: "low" });
  expect(risky).toMatchObject({ reversible: false, risk: "high", status: "waiting" });
  await factory.until("the others are carried out", async () => {
    const items = await factory.client.get<VaultView[]>("/v1/vault");
    return items.filter(({ status }) => status === "fired").length === 4;
  });
  expect(receiver.received).toMatchObject([{ method: "PUT", text: '{"news":1}' }]);
  expect(await json("issue", "show", issue, "--json")).toMatchObject({ labels: ["soon"] });
  expect(readFileSync(inUser("greeted"), "utf8")).toBe("hello\n");
  expect(readFileSync(inUser("noted"), "utf8")).toBe("s3cret");
  const twice = ["--body", "x", "--body-file", news];
  const refused = await factory.pawl("vault", "request", "--what", "x", "--type", "note", ...twice);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("together")]);
});

/** What a command sees whose clock is another one. */
const withClock = async <T>(script: string, act: () => Promise<T>): Promise<T> => {
  const path = join(factory.root, "clock.mjs");
  writeFileSync(path, script);
  factory.env["NODE_OPTIONS"] = other.env["NODE_OPTIONS"] = `--import=${path}`;
  try {
    return await act();
  } finally {
    delete factory.env["NODE_OPTIONS"];
    delete other.env["NODE_OPTIONS"];
  }
};

test("a session of another checkout is named, watched and looked at from this one", async () => {
  const words = ["review", "5", "5.3", "--cycle", "2"];
  expect(await factory.ok("tmux-wrapper", "name", ...words)).toMatch(
    /^sa-repo-\d{6}-\d{6}-e5-s5-3-review-r2$/,
  );
  expect(await factory.ok("tmux-wrapper", "build-cmd", "dev", "5.3", "--agent", "codex")).toMatch(
    /^codex exec --full-auto 'Implement story 5\.3/,
  );
  other.write({ "state-5.md": "---\nstatus: READY\n---\n" });
  const spawn = ["tmux-wrapper", "spawn", "review", "5", "5.3", "--command"];
  const name = await other.ok(...spawn, "echo THE END; exit 3");
  const there = ["--project-root", other.repo];
  const lost = await factory.pawl("monitor-session", name, "--state-file", "state-5.md");
  expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining("there is no state-5.md")]);
  // Ten minutes are not waited for.
  const watch = ["--state-file", "state-5.md", "--initial-wait", "600", "--max-polls", "1"];
  expect(await factory.ok("monitor-session", name, ...watch, ...there)).toMatch(
    /^crashed,0,0,\/.*,exit_code_3$/,
  );
  const looked = await factory.ok("tmux-status-check", name, "--full", ...there);
  const [, output = ""] = /^crashed,0,0,(\/.*),3,crashed$/.exec(looked) ?? [];
  expect(readFileSync(output, "utf8")).toContain("THE END");
  const nowhere = await factory.pawl("tmux-status-check", name, "--project-root", "/nowhere");
  expect([nowhere.code, nowhere.stderr]).toEqual([
    2,
    expect.stringContaining("no project at /nowhere"),
  ]);

  const long = await other.ok(...spawn, "exec sleep 1000");
  expect(await factory.ok("heartbeat-check", long, "--agent", "codex")).toMatch(
    /^(?:alive|idle),\d+\.\d,\d+,false$/,
  );
  // A millisecond takes a quarter of an hour, so that a poll is over at once.
  const fast =
    "const now = performance.now.bind(performance);\nperformance.now = () => now() * 1e6;";
  const polls = ["--timeout", "1e9", "--max-polls", "1"];
  const ended = await withClock(fast, () => factory.ok("monitor-session", long, ...polls));
  expect(ended).toMatch(/^timeout,.*,max_polls_exceeded$/);
  await other.ok("tmux-wrapper", "kill-all");
});

test("the orchestrator is answered from the sprint and from the ledger", async () => {
  const sprint = "development_status:\n  8-1-first: done\n  8-2-next: backlog\n";
  other.write({ "_bmad-output/implementation-artifacts/sprint-status.yaml": sprint });
  const ask = async (...args: string[]): Promise<unknown> =>
    JSON.parse(await other.ok("orchestrator-helper", ...args));
  const counted = (step: string) =>
    ask("escalate", "review-loop", "--step", step, "--story", "5.3");
  const answers = await Promise.all([
    ask("sprint-status", "exists", "8.2"),
    ask("sprint-status", "exists", "8.3"),
    ask("sprint-status", "check-epic", "8"),
    counted("review"),
    counted("dev"),
    ask("next-attempt", "dev", "5.3", "--primary", "codex"),
    ask("verify-step", "review", "8.1", "--output-file", "/nowhere"),
  ]);
  expect(answers).toEqual([
    true,
    false,
    expect.objectContaining({ ok: true, allStoriesDone: false, total: 2, done: 1 }),
    expect.objectContaining({ escalate: true }),
    { escalate: false, trigger: "review-loop" },
    expect.objectContaining({ action: "start", agent: "codex" }),
    // The files of the project are checked, independent of the output.
    expect.objectContaining({ verified: true }),
  ]);
});

test("followers show what comes, agents say what they wait for, and checkpoints are compared", async () => {
  const logs = factory.background("logs", "1", "--follow");
  const signals = factory.background("signals", "--follow", "--json", "--kind", "MERGE_COMPLETE");
  const last = <T>(more = ""): Promise<T> => factory.client.get<T>(`/v1/checkpoints/1/last${more}`);
  await factory.until("the hook says what the agent said", async () => {
    const { tests_status: tests, files_modified: files } = factory.hookFile();
    // Beside what the workspace holds: a checkpoint may have been quicker.
    return tests === "failed" && ["src/a.ts", "src/b.ts"].every((file) => files.includes(file));
  });
  await factory.until("the first draft is saved", async () => {
    const { changes } = await last<{ changes: { path: string }[] }>();
    return changes.some(({ path }) => path === "draft.txt");
  });
  factory.allow("more");
  await factory.until("the second is", async () => {
    return (await last<{ diff: string }>("/diff")).diff.includes("+two");
  });
  const [diff, stat, both, all, newest] = await Promise.all([
    factory.ok("checkpoint", "diff", "1"),
    factory.ok("checkpoint", "diff", "1", "--stat"),
    json<{ diff: string }>("checkpoint", "diff", "1", "--from", "1", "--json"),
    json<{ number: number }[]>("checkpoint", "list", "1", "--json"),
    json("checkpoint", "list", "1", "--limit", "1", "--json"),
  ]);
  expect(diff).toMatch(/^\+two$/m);
  expect(stat).toMatch(/draft\.txt \| 1 \+/);
  expect(both.diff).toMatch(/^\+two$/m);
  expect(all.length).toBeGreaterThan(1);
  expect(newest).toEqual(all.slice(0, 1));

  await factory.until("the second one is refused", async () => {
    return (await factory.runOf(2)).outcome === "refused";
  });
  expect(await factory.ok("why", "2")).toContain("waits for #1");
  await factory.until("the log is followed", async () => logs.output().includes("first line"));
  expect(logs.output()).not.toContain("the last line");
  expect(signals.output()).not.toContain('"MERGE_COMPLETE"');
  factory.allow("land");
  const followed = await logs.ended;
  expect([followed.code, followed.stdout]).toEqual([0, expect.stringContaining("the last line")]);
  await factory.until("the landing is told", async () =>
    signals.output().includes('"MERGE_COMPLETE"'),
  );
  signals.kill("SIGTERM");
});

test("a session that has not begun is shown, from another project with --all-projects", async () => {
  daemon.kill("SIGKILL");
  await daemon.ended;
  // No daemon runs: the commands look themselves, a minute from now.
  const later = "const now = Date.now;\nDate.now = () => now() + 60_000;";
  const [all, own] = await withClock(later, async () => [
    await other.ok("patrol", "pending", "--all-projects", "--json"),
    await other.ok("patrol", "pending", "--json"),
  ]);
  expect(JSON.parse(all)).toContainEqual(
    expect.objectContaining({ identity: "dev-3", project: factory.project }),
  );
  expect(JSON.parse(own)).toEqual([]);
});
