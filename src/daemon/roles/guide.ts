// How a standing role judges: the guide that comes with Pawl, and below it what the project adds in
// `.pawl/guides/ROLE.md`.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Run } from "../../core/run/run.ts";
import type { ProjectPorts } from "../engine/ports.ts";

const OWN_FOLDER = ".pawl/guides";
const GUIDE_MAX = 20_000;

/** Of the commit that the agent works on; undefined for a role that has none. */
export async function guideFor(
  { role, work, base }: Run,
  own: Pick<ProjectPorts, "git">,
): Promise<string | undefined> {
  if (work.kind !== "task") return undefined;
  const file = join(builtInFolder(), `${role}.md`);
  const usual = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const added =
    base === undefined ? undefined : await own.git.readFile(base, `${OWN_FOLDER}/${role}.md`);
  const parts = [
    ...(usual === undefined ? [] : [usual.trim()]),
    ...(added === undefined
      ? []
      : [`# What this project adds\n\nThis takes precedence over the rest.\n\n${added.trim()}`]),
  ];
  return parts.length === 0 ? undefined : parts.join("\n\n").slice(0, GUIDE_MAX);
}

/** In the bundle they lie beside it, in a checkout at its root. */
function builtInFolder(): string {
  const candidates = ["./formulas/guides/", "../../../formulas/guides/"].map((path) =>
    fileURLToPath(new URL(path, import.meta.url)),
  );
  return candidates.find((path) => existsSync(path)) ?? "";
}
