// Whose text may instruct an agent. Everybody else's reaches it as quoted data: what is wanted, what
// was found, never what to do with its tools.
import type { ProjectConfig } from "./config.ts";

type Rules = Pick<ProjectConfig, "trust" | "forge">;

/**
 * The authors that `[trust]` names; without it the owner on a forge, and on the built-in tracker
 * everybody, because only who may act as its user can write there.
 */
export function mayInstruct({ trust, forge }: Rules, author: string | undefined): boolean {
  if (trust === undefined && forge === undefined) return true;
  const known = trust?.authors ?? (forge === undefined ? [] : [forge.owner]);
  return author !== undefined && known.some((name) => isSame(name, author));
}

/** Where `[trust]` names authors, only theirs count among the reviews of people. */
export const mayJudge = (rules: Rules, author: string): boolean =>
  rules.trust === undefined || mayInstruct(rules, author);

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
