// Whether the installed version of an agent's program is one that Pawl is tested with. A program that
// cannot be asked is another check's finding.
import { OperationError } from "../../lib/operation-error.ts";
import { isOlder } from "./is-older.ts";
import { run } from "./run.ts";

const TIMEOUT_MS = 5_000;

export type ProgramRequest = { command: string[]; env: Record<string, string> };
export type Finding = { what: string; hint: string; isNote?: true; isSignedOut?: true };

/** What is known of a program: one version is tested, and newer ones mostly work. */
export type Tested = {
  title: string;
  /** Started where [agent] command names no other. */
  program: string;
  version: string;
  /** Installs it. */
  install: string;
};

/** What it says to these words; undefined where it cannot be asked. */
export async function askProgram(
  { command, env }: ProgramRequest,
  { program, words }: { program: string; words: string[] },
): Promise<{ stdout: string; stderr: string } | undefined> {
  const [own = program, ...first] = command;
  const limits = { cwd: "/", timeoutMs: TIMEOUT_MS, maxBytes: 10_000, expect: [0, 1] };
  try {
    return await run({ argv: [own, ...first, ...words], env, ...limits });
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}

export async function tooOld(request: ProgramRequest, tested: Tested): Promise<string[]> {
  const version = await versionOf(request, tested);
  return version === undefined ? [] : olderThan(version, tested);
}

export function olderThan(version: string, { title, version: tested, install }: Tested): string[] {
  if (!isOlder(version, tested)) return [];
  return [
    `${title} ${version} is older than ${tested}, the oldest version that Pawl is tested with: it may not understand what Pawl asks of it (\`${install}\` installs that one)`,
  ];
}

export async function untested(request: ProgramRequest, tested: Tested): Promise<Finding[]> {
  const version = await versionOf(request, tested);
  if (version === undefined || !isOlder(tested.version, version)) return [];
  return [
    {
      what: `${tested.title} ${version} is newer than ${tested.version}, the newest version that Pawl is tested with`,
      hint: `if agents behave strangely, \`${tested.install}\` installs that one`,
      isNote: true,
    },
  ];
}

/** Undefined where the program does not say it. */
async function versionOf(
  request: ProgramRequest,
  { program }: Tested,
): Promise<string | undefined> {
  const said = await askProgram(request, { program, words: ["--version"] });
  return /(?:^|\s|v)(\d+\.\d+\.\d+)/m.exec(said?.stdout ?? "")?.[1];
}
