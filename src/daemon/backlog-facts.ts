// What the core needs to know of the open issues of a forge: above all, which dependencies are
// not met yet. It only reads, and asks a forge only once about an issue that is closed: while it is
// not among the open ones, it stays closed.
import type { Issue } from "../core/issue.ts";
import { dependencies, type IssueFacts } from "../core/project/backlog.ts";
import type { Forge } from "../ports/forge.ts";

export async function backlogFacts(
  forge: Pick<Forge, "issue">,
  open: Issue[],
  closed = new Set<number>(),
): Promise<IssueFacts[]> {
  const openNumbers = new Set(open.map((issue) => issue.number));
  const isMet = async (number: number): Promise<boolean> => {
    if (openNumbers.has(number)) return false;
    if (!closed.has(number) && (await isClosed(forge, number))) closed.add(number);
    return closed.has(number);
  };
  const facts: IssueFacts[] = [];
  for (const { number, title, labels, body, createdAt } of open) {
    const unmet: number[] = [];
    for (const other of dependencies(body, number)) {
      if (!(await isMet(other))) unmet.push(other);
    }
    facts.push({ number, title, labels, createdAt, unmet });
  }
  return facts;
}

/** An issue that does not exist is not closed: whoever depends on it waits, and is seen to. */
async function isClosed(forge: Pick<Forge, "issue">, number: number): Promise<boolean> {
  return (await forge.issue(number))?.state === "closed";
}
