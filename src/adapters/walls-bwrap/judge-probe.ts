// What a look from inside must have found, for the walls to hold.
import { OperationError } from "../../lib/operation-error.ts";
import { NO_WALLS } from "../../ports/walls.ts";
import type { ProcessLimit } from "./hold-limits.ts";

const NAMESPACES = ["pid", "ipc", "uts", "mnt", "user"];

/** `outside`: the namespaces of this process, as `pid:[4026531836]`. */
export type Probed = {
  said: string;
  outside: string[];
  network: "open" | "hosts" | "none";
  limits: ProcessLimit[];
};

/** The walls that hold; the first that does not is thrown. */
export function judgeProbe({ said, outside, network, limits }: Probed): string[] {
  const lines = said.split("\n");
  const facts = (word: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []));
  const [seen] = facts("seen");
  if (seen !== undefined) throw missing(`${seen} can be seen from inside`);
  const [writable] = facts("writable");
  if (writable !== undefined) throw missing(`${writable} can be changed from inside`);
  const [locked] = facts("locked");
  if (locked !== undefined) throw missing(`${locked} cannot be changed from inside`);
  if (facts("parent")[0] !== "1") throw missing("processes of the machine can be seen from inside");
  if (facts("filter")[0] !== "2") throw missing("keyrings of the user can be reached from inside");
  const own = network === "open" ? NAMESPACES : [...NAMESPACES, "net"];
  for (const name of own) {
    const inside = lines.find((line) => line.startsWith(`${name}:[`));
    if (inside === undefined || outside.includes(inside)) {
      throw missing(`it has no ${name} namespace of its own`);
    }
  }
  if (network !== "open" && facts("interfaces")[0] !== "0") {
    throw missing("a network of the machine can be seen from inside");
  }
  for (const { title, value } of limits) {
    const [, hard] = (lines.find((line) => line.startsWith(title)) ?? "")
      .slice(title.length)
      .trim()
      .split(/\s+/);
    if (hard !== value) throw missing(`${title} is ${hard ?? "unknown"} instead of ${value}`);
  }
  return [...own, "files", "system", "keyrings"];
}

const missing = (what: string): OperationError =>
  new OperationError(`the walls of [isolation] do not hold: ${what}`, {
    code: NO_WALLS,
    hint: "no agent starts without them; `pawl doctor` looks at them again",
  });
