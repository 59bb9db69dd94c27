// Makes an epoch's folder ready for an agent. Every step may be repeated; the phase file is left
// alone, because its absence means that nothing has been said.
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { CrashPoint } from "../../lib/crash-point.ts";
import { writeWhole } from "../shared/write-whole.ts";
import { layoutOf } from "./layout.ts";
import { linkPhase } from "./phase-link.ts";

export type Preparation = {
  dir: string;
  prompt: string;
  phaseLink: string;
  inputs: Record<string, string>;
};

export async function prepare(
  crash: CrashPoint,
  { dir, prompt, phaseLink, inputs }: Preparation,
): Promise<"linked" | "taken"> {
  const layout = layoutOf(dir);
  const { inboxTmp, inboxNew, inboxCur, spoolTmp, spoolNew } = layout;
  for (const folder of [
    layout.dir,
    layout.inputs,
    inboxTmp,
    inboxNew,
    inboxCur,
    spoolTmp,
    spoolNew,
  ]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  await crash("session-files.prepare.folders");
  for (const [name, text] of Object.entries(inputs)) {
    await writeWhole(join(layout.inputs, name), text);
  }
  await writeWhole(layout.prompt, prompt);
  await crash("session-files.prepare.prompt");
  return linkPhase(phaseLink, layout.phase);
}
