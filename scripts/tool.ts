// Runs one external tool and reports its outcome as data: used by check.ts and
// test.ts, which decide what to print. Owns no policy on what must pass.
import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type Counts = { passed: number; failed: number; skipped: string[] };

export type Outcome = {
  name: string;
  ok: boolean;
  durationMs: number;
  output: string;
  counts: Counts;
};

export type Tool = { name: string; command: string[]; timeoutMs: number; live?: boolean };

const ROOT = join(import.meta.dirname, "..");
const DRAIN_MS = 1_000;

// A tool counts no tests of its own, but one that fails counts as one failure.
export async function runTool(tool: Tool): Promise<Outcome> {
  const startedAt = performance.now();
  const { ok, output } = await execute(tool);
  const durationMs = performance.now() - startedAt;
  const counts = { passed: 0, failed: ok ? 0 : 1, skipped: [] };
  return { name: tool.name, ok, durationMs, output, counts };
}

// Runs one project of vitest.config.ts and counts its tests from the JSON report.
export async function runVitest(
  project: string,
  options: {
    timeoutMs: number;
    live?: boolean;
    within?: string[];
    /** Only these files; `name` says which they are. */
    files?: string[];
    name?: string;
  },
): Promise<Outcome> {
  const { within = [], files = [], name = `${project} tests`, ...limits } = options;
  const folder = mkdtempSync(join(tmpdir(), "pawl-vitest-"));
  // It may be another user who writes it.
  chmodSync(folder, 0o777);
  const report = join(folder, "report.json");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const words = ["--project", project, "--passWithNoTests", ...reporters, ...files];
  const vitest = ["vitest", "run", ...words];
  const command = [...within, ...vitest];
  try {
    const outcome = await runTool({ name, command, ...limits });
    return { ...outcome, counts: countTests(report, outcome.ok) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function formatOutcome({ name, ok, durationMs, counts }: Outcome): string {
  const tests = counts.passed > 0 || counts.failed > 1 ? `  ${countsLine(counts)}` : "";
  const seconds = (durationMs / 1000).toFixed(1).padStart(6);
  return `${ok ? "ok    " : "FAILED"} ${seconds} s  ${name}${tests}`;
}

export function countsLine({ passed, failed, skipped }: Counts): string {
  const line = `${passed} passed, ${failed} failed`;
  return skipped.length === 0 ? line : `${line}, ${skipped.length} skipped`;
}

type Report = {
  testResults: {
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
};

function countTests(path: string, ok: boolean): Counts {
  const files = readReport(path).testResults;
  const tests = files.flatMap((file) => file.assertionResults);
  const failedTests = tests.filter(({ status }) => status === "failed").length;
  // A file that could not be loaded has no tests to fail; it is a failure itself.
  const brokenFiles = files.filter(
    (file) =>
      file.status === "failed" && file.assertionResults.every(({ status }) => status !== "failed"),
  ).length;
  const failed = failedTests + brokenFiles;
  return {
    passed: tests.filter(({ status }) => status === "passed").length,
    // Unhandled errors and a missing report fail the run without failing a test.
    failed: ok || failed > 0 ? failed : 1,
    skipped: tests
      .filter(({ status }) => status !== "passed" && status !== "failed")
      .map(({ fullName }) => fullName),
  };
}

function readReport(path: string): Report {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Report;
  } catch (error) {
    // Vitest writes no report when it finds no files or cannot start at all; its
    // exit code tells these apart.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === "ENOENT") {
      return { testResults: [] };
    }
    throw error;
  }
}

function execute(tool: Tool): Promise<{ ok: boolean; output: string }> {
  const [file = "", ...args] = tool.command;
  const child = spawn(file, args, {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: tool.timeoutMs,
    killSignal: "SIGKILL",
  });
  const chunks: string[] = [];
  const keep = (text: string) => {
    chunks.push(text);
    if (tool.live) process.stdout.write(text);
  };
  child.stdout.setEncoding("utf8").on("data", keep);
  child.stderr.setEncoding("utf8").on("data", keep);
  return new Promise((resolve) => {
    const finish = (code: number | null) => resolve({ ok: code === 0, output: chunks.join("") });
    child.on("error", (error) => {
      keep(`cannot run ${file}: ${error.message}\n`);
      finish(null);
    });
    child.on("exit", (code, signal) => {
      if (signal) keep(`\n${tool.name} was ended by ${signal} (limit ${tool.timeoutMs} ms)\n`);
      // A process that a test left behind may hold the pipes open for ever.
      const abandon = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, DRAIN_MS);
      child.on("close", () => {
        clearTimeout(abandon);
        finish(code);
      });
    });
  });
}
