// The hook script by itself, as Claude Code calls it: a payload on stdin, words on stdout, and a
// whole file in the spool.
import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const HOOK = join(import.meta.dirname, "../../src/adapters/agent-claude/claude-hook.sh");
let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "pawl-hook-"));
  for (const folder of ["spool/tmp", "spool/new", "inbox/new", "inbox/typed", "inbox/cur"]) {
    mkdirSync(join(dir, folder), { recursive: true });
  }
});
afterEach(() => rmSync(dir, { recursive: true }));

function call(word: string, payload: unknown, env: Record<string, string> = {}): string {
  const result = spawnSync("sh", [HOOK, ...word.split(" ")], {
    input: typeof payload === "string" ? payload : JSON.stringify(payload),
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"] ?? "",
      PAWL_SPOOL: join(dir, "spool"),
      PAWL_INBOX: join(dir, "inbox"),
      ...env,
    },
  });
  expect(result.status).toBe(0);
  expect(result.stderr).toBe("");
  return result.stdout;
}

const spooled = (): string[] =>
  readdirSync(join(dir, "spool/new"))
    .toSorted()
    .map((name) => readFileSync(join(dir, "spool/new", name), "utf8"));

const mail = (id: string, text: string): void =>
  writeFileSync(join(dir, "inbox/new", `${id}.md`), `Id: ${id}\nKind: notice\n\n${text}\n`);

test("a payload reaches the spool byte for byte, in the order of calls", () => {
  const hostile = { n: 1, text: `"$(touch x)" '\`;%s\\n ü 🪝` };
  call("event", hostile);
  for (let n = 2; n <= 12; n += 1) call("event", { n });
  expect(spooled()[0]).toBe(JSON.stringify(hostile));
  expect(spooled().map((text) => (JSON.parse(text) as { n: number }).n)).toEqual(
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
  expect(readdirSync(join(dir, "spool/tmp"))).toEqual([]);
});

test("without a spool nothing happens, and nothing fails", () => {
  const gone = { PAWL_SPOOL: join(dir, "gone"), PAWL_INBOX: join(dir, "gone") };
  expect(call("event", {}, gone)).toBe("");
  expect(call("prompt", {}, gone)).toBe("");
  expect(spooled()).toEqual([]);
});

test("unread mail joins the next prompt, once", () => {
  mail("m1", "first");
  mail("m2", "second");
  expect(call("prompt", { prompt: "hello" })).toBe(
    "Id: m1\nKind: notice\n\nfirst\nId: m2\nKind: notice\n\nsecond\n",
  );
  expect(readdirSync(join(dir, "inbox/cur")).toSorted()).toEqual(["m1.md", "m2.md"]);
  expect(call("prompt", { prompt: "again" })).toBe("");
});

test("a message that is the prompt itself is marked read and not shown again", () => {
  mail("m1", "news");
  mail("m10", "other news");
  const shown = call("prompt", { prompt: "Id: m1\nKind: notice\n\nnews" });
  expect(shown).toBe("Id: m10\nKind: notice\n\nother news\n");
  expect(existsSync(join(dir, "inbox/cur/m1.md"))).toBe(true);
});

test("what Pawl is typing is left alone by every prompt but its own", () => {
  mail("m1", "news");
  mail("m2", "other news");
  renameSync(join(dir, "inbox/new/m1.md"), join(dir, "inbox/typed/m1.md"));
  expect(call("prompt", { prompt: "hello" })).toBe("Id: m2\nKind: notice\n\nother news\n");
  expect(readdirSync(join(dir, "inbox/cur"))).toEqual(["m2.md"]);
  expect(call("prompt", { prompt: "Id: m1\nKind: notice\n\nnews" })).toBe("");
  expect(readdirSync(join(dir, "inbox/cur")).toSorted()).toEqual(["m1.md", "m2.md"]);
});

test("a prompt is marked read before it is reported", () => {
  mail("m1", "news");
  const log = join(dir, "moves");
  const mv = `#!/bin/sh\necho "$2" >> ${log}\nPATH=\${PATH#*:} exec mv "$@"\n`;
  writeFileSync(join(dir, "mv"), mv, { mode: 0o755 });
  const env = { PATH: `${dir}:${process.env["PATH"]}` };
  call("prompt", { prompt: "Id: m1\nKind: notice\n\nnews" }, env);
  const [first = "", second = ""] = readFileSync(log, "utf8").split("\n");
  expect([first, second].map((path) => path.slice(dir.length + 1).split("/")[0])).toEqual([
    "inbox",
    "spool",
  ]);
});

test("after a compaction the protocol and the hook are told again, and only then", () => {
  writeFileSync(join(dir, "protocol.md"), "PROTOCOL\n");
  writeFileSync(join(dir, "hook.json"), "HOOK\n");
  const env = { PAWL_HOOK_FILE: join(dir, "hook.json") };
  expect(call("start", { source: "startup" }, env)).toBe("");
  expect(call("start", { source: "compact" }, env)).toBe("PROTOCOL\nHOOK\n");
});

test("the statusline shows folder, context and clock", () => {
  const payload = { cwd: "/work/dev-42", context_window: { used_percentage: 27, x: 1 } };
  expect(call("statusline", payload)).toMatch(/^dev-42 \| ctx\(27%\) \| \d\d:\d\d:\d\d\n$/);
  expect(JSON.parse(spooled()[0] ?? "")).toMatchObject({
    pawl_clock: expect.stringMatching(/^\d\d:\d\d:\d\d$/),
    cwd: "/work/dev-42",
  });
  const unknown = { cwd: "/w", context_window: { used_percentage: null } };
  expect(call("statusline", unknown)).toMatch(/^w \| ctx\(0%\) \|/);
});

test("a heartbeat that has stopped is reported once; one that goes on, or was removed, never", () => {
  const heartbeat = join(dir, "heartbeat");
  const env = { PAWL_HEARTBEAT: heartbeat };
  const pings = (): number => spooled().filter((text) => text.includes('"ping"')).length;
  call("event", {}, env);
  writeFileSync(heartbeat, "");
  call("event", {}, env);
  const [uptime = ""] = readFileSync("/proc/uptime", "utf8").split(" ");
  const longAgo = Math.max(0, Number(uptime.replace(".", "")) - 61 * 100);
  writeFileSync(join(dir, "heartbeat-seen"), `${longAgo}\n`);
  call("event", {}, env);
  call("event", {}, env);
  expect(pings()).toBe(1);
  // It beats again, and stops again.
  utimesSync(heartbeat, new Date(), new Date(Date.now() + 5_000));
  call("event", {}, env);
  expect(pings()).toBe(1);
});

type Answer = {
  hookSpecificOutput: { permissionDecision: string; permissionDecisionReason: string };
};

test.each([
  ["/f/projects/p/workspaces/dev-1/src/a.ts", undefined],
  ["/f/runs/1/phase", undefined],
  ["/home/ada/notes.md", undefined],
  ["relative.txt", undefined],
  ["/f/pawl.db", "belongs to the factory"],
  ["/f/projects/p/workspaces/dev-10/a.ts", "belongs to the factory"],
  ["/f/projects/p/workspaces/dev-1/../dev-2/a.ts", "cannot be read plainly"],
  ['/f/pawl.db","x":"', "cannot be read plainly"],
  ["/f/paw\u0001l.db", "cannot be read plainly"],
])("a file tool that writes %j is refused where it is Pawl's own: %s", (path, reason) => {
  const hostile = `","file_path":"/f/projects/p/workspaces/dev-1/x`;
  const input = { content: hostile, file_path: path, more: hostile };
  const payload = {
    cwd: "/x",
    hook_event_name: "PreToolUse",
    tool_name: "Write",
    tool_input: input,
  };
  const said = call("guard /f /f/projects/p/workspaces/dev-1 /f/runs/1", payload);
  const answer = said === "" ? undefined : (JSON.parse(said) as Answer).hookSpecificOutput;
  expect(answer?.permissionDecision).toBe(reason === undefined ? undefined : "deny");
  expect(answer?.permissionDecisionReason ?? "").toContain(reason ?? "");
});

test("a file tool whose path is nowhere, or there twice, is refused", () => {
  expect(call("guard /f /w /d", { tool_input: {} })).toContain('"deny"');
  const twice = { file_path: "/f/pawl.db", more: { file_path: "/w/a" } };
  expect(call("guard /f /w /d", { tool_input: twice })).toContain('"deny"');
});
