// What each part of PAWL_HOME takes on the disk.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../../adapters/shared/run.ts";
import type { DoctorView } from "../../api/doctor.ts";
import { ifThere } from "../../lib/if-there.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { toolEnvironment } from "../host/environment.ts";
import type { Paths } from "../host/paths.ts";

type Sizes = NonNullable<DoctorView["sizes"]>;

/** A large home is worth no waiting: then nothing is said of it. */
const LOOK_MAX_MS = 3_000;

/** Folders of a project, and what people call what is in them. */
const FOLDERS: Record<string, string> = {
  "hub.git": "branches and checkpoints",
  workspaces: "workspaces",
  runs: "logs of sessions",
  cache: "caches",
};

/** Empty where it cannot be told within `maxMs`. */
export async function sizesOf(
  { home, backups }: Pick<Paths, "home" | "backups">,
  { maxMs = LOOK_MAX_MS, signal }: { maxMs?: number; signal?: AbortSignal } = {},
): Promise<Sizes> {
  const projects = join(home, "projects");
  const parts = new Map<string, string[]>([["backups", [backups]]]);
  const put = (part: string, path: string) => parts.set(part, [...(parts.get(part) ?? []), path]);
  for (const name of (await ifThere(readdir(home))) ?? []) {
    if (name.startsWith("pawl.db")) put("journal", join(home, name));
    if (name.startsWith("daemon.log")) put("log of the daemon", join(home, name));
  }
  for (const project of (await ifThere(readdir(projects))) ?? []) {
    for (const folder of (await ifThere(readdir(join(projects, project)))) ?? []) {
      const part = FOLDERS[folder];
      if (part !== undefined) put(part, join(projects, project, folder));
    }
  }
  // Last: of a folder, du says what it has not counted before.
  put("everything else", home);
  const sizes = await diskUse([...parts.values()].flat(), { maxMs, signal });
  if (sizes === undefined) return [];
  return [...parts]
    .map(([part, paths]) => {
      return { part, bytes: paths.reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0) };
    })
    .filter(({ bytes }) => bytes > 0)
    .toSorted((a, b) => b.bytes - a.bytes);
}

/** In bytes, by path; undefined where it takes too long. Of some hundred paths at most: see `maxBytes`. */
export async function diskUse(
  paths: string[],
  { maxMs, signal }: { maxMs: number; signal?: AbortSignal | undefined },
): Promise<Map<string, number> | undefined> {
  try {
    const { stdout } = await run({
      argv: ["du", "-sk", "--", ...paths],
      cwd: "/",
      env: toolEnvironment(),
      timeoutMs: maxMs,
      ...(signal === undefined ? {} : { signal }),
      maxBytes: 1_000_000,
      // Files come and go while it looks.
      expect: [0, 1],
      what: "see what PAWL_HOME takes on the disk",
    });
    const lines = stdout.split("\n").filter((line) => line !== "");
    return new Map(
      lines.map((line) => [
        line.slice(line.indexOf("\t") + 1),
        Number(line.slice(0, line.indexOf("\t"))) * 1024,
      ]),
    );
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}
