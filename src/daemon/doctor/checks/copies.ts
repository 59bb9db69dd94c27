// The published copies of the state are there and can be read.
import { readUntrusted } from "../../../adapters/shared/untrusted-file.ts";
import { isOver } from "../../../core/run/run.ts";
import { RunCopies, type Copy } from "../../publishing/run-copies.ts";
import type { Check, Trouble } from "../check.ts";
import type { Inspection } from "../inspection.ts";

const COPY_MAX_BYTES = 16 * 1024 * 1024;

export const copiesCheck: Check = {
  id: "copies",
  title: "published copies of the state",
  run: async (inspection) => {
    const runs = (await inspection.runs()).filter((run) => !isOver(run));
    const published = new RunCopies(inspection.paths);
    const copies = runs.flatMap((run) => published.of(run, inspection.now));
    return (await Promise.all(copies.map((copy) => look(inspection, copy)))).flat();
  },
};

/** Only JSON is looked into: whether it is the newest is for the daemon, which writes it again. */
async function look({ ports }: Inspection, { path, content }: Copy): Promise<Trouble[]> {
  if (!path.endsWith(".json") || (await isReadable(path))) return [];
  const fix = {
    plan: `write ${path} from the journal`,
    apply: () => ports.publisher.publish(path, content),
  };
  return [{ key: path, what: `${path} is missing or damaged`, fix }];
}

async function isReadable(path: string): Promise<boolean> {
  try {
    JSON.parse((await readUntrusted(path, COPY_MAX_BYTES)) ?? "");
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
