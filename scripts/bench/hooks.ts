// What one call of the hook script costs in CPU, beside a bare shell and a bare Node: user and
// system time of the script and everything it starts, from the kernel's own account.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ms, print } from "./place.ts";

const HOOK = fileURLToPath(
  new URL("../../src/adapters/agent-claude/claude-hook.sh", import.meta.url),
);
const CALLS = 200;
const NODE_CALLS = 20;

const PAYLOAD = JSON.stringify({
  session_id: "b4810646-ebf0-4a2b-bcc1-d6f7035352d1",
  cwd: "/home/agent/work/p3",
  hook_event_name: "PostToolUse",
  tool_name: "Bash",
  tool_input: { command: "npm test", description: "Runs the tests" },
  tool_response: { stdout: "x".repeat(4000), stderr: "" },
});

const STATUS = JSON.stringify({
  cwd: "/home/agent/work/p3",
  context_window: { context_window_size: 200_000, used_percentage: 27 },
});

export async function benchHooks(): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "pawl-bench-hook-"));
  for (const folder of ["spool/tmp", "spool/new", "inbox/new", "inbox/cur"]) {
    mkdirSync(join(dir, folder), { recursive: true });
  }
  writeFileSync(join(dir, "payload"), PAYLOAD);
  writeFileSync(join(dir, "status"), STATUS);
  writeFileSync(join(dir, "heartbeat"), "");
  const call = (word: string, input: string): string =>
    `sh '${HOOK}' ${word} < '${dir}/${input}' > /dev/null`;
  try {
    print("sh -c :, CPU", ms(cpuOf(dir, "sh -c :", CALLS)));
    print("hook of a tool call, CPU", ms(cpuOf(dir, call("event", "payload"), CALLS)), "≤ 5 ms");
    const guard = call("guard /f /w /d", "payload");
    print("guard of a file tool, CPU", ms(cpuOf(dir, guard, CALLS)), "≤ 5 ms");
    print("hook of a prompt, CPU", ms(cpuOf(dir, call("prompt", "payload"), CALLS)));
    print("statusline, CPU", ms(cpuOf(dir, call("statusline", "status"), CALLS)));
    print("bare node -e 0, CPU", ms(cpuOf(dir, `'${process.execPath}' -e 0`, NODE_CALLS)));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** `times` prints what the shell's children have used; the loop itself is the shell's own. */
function cpuOf(dir: string, command: string, calls: number): number {
  const script = `i=0; while [ $i -lt ${calls} ]; do ${command}; i=$((i + 1)); done; times`;
  const { stdout } = spawnSync("sh", ["-c", script], {
    encoding: "utf8",
    env: {
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      PAWL_SPOOL: join(dir, "spool"),
      PAWL_INBOX: join(dir, "inbox"),
      PAWL_HEARTBEAT: join(dir, "heartbeat"),
    },
  });
  const children = stdout.trim().split("\n").at(-1) ?? "";
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(
    ([, minutes, rest]) => Number(minutes) * 60 + Number(rest),
  );
  return (seconds.reduce((sum, one) => sum + one, 0) * 1000) / calls;
}
