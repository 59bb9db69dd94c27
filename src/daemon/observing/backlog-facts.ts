// What the core needs to know of the open issues of a forge: above all, which dependencies are
// not met yet. It only reads, and asks a forge only once about an issue that is closed: while it is
// not among the open ones, it stays closed.
import type { Wish } from "../../core/agent-choice.ts";
import type { Issue } from "../../core/issue.ts";
import { type IssueFacts } from "../../core/project/backlog.ts";
import { dependencies } from "../../lib/issue-dependencies.ts";
import type { Forge } from "../../ports/forge.ts";
import { agentWish } from "./agent-wish.ts";
import { ownAccounts } from "./own-accounts.ts";
import type { SettingsObserved } from "./observe-settings.ts";

/** What is kept from look to look. */
export type KnownIssues = {
  closed: Set<number>;
  /** What a body names is read again only when the body is another. */
  needs: Map<number, { body: string; numbers: number[] }>;
  /** The backlog that a list was found to say: a forge that knows of no change gives the same list. */
  said: WeakMap<readonly Issue[], readonly IssueFacts[]>;
  byNumber: WeakMap<readonly Issue[], ReadonlyMap<number, Issue>>;
  /** Where a forge counts its changes: what the last look found in the backlog. */
  seen?: SeenBacklog | undefined;
  /** When the settings of the repository were looked at. */
  settings: SettingsObserved;
};

/**
 * `version`: of the project. `actions`: those of its issues that ask for an operation. `active`: the
 * issues of its runs, once they were asked for.
 */
export type SeenBacklog = {
  version: number;
  actions: readonly IssueFacts[];
  active?: Issue[];
};

export const newKnownIssues = (): KnownIssues => ({
  closed: new Set(),
  needs: new Map(),
  said: new WeakMap(),
  byNumber: new WeakMap(),
  settings: { at: undefined },
});

/** Without a daemon the accounts of the tracker are not asked for. */
type ReadForge = Pick<Forge, "issue"> & Partial<Pick<Forge, "account">>;

export async function backlogFacts(
  forge: ReadForge,
  open: Issue[],
  known: KnownIssues = newKnownIssues(),
): Promise<IssueFacts[]> {
  const { closed, needs } = known;
  const openNumbers = new Set(open.map((issue) => issue.number));
  const isMet = async (number: number): Promise<boolean> => {
    if (openNumbers.has(number)) return false;
    if (!closed.has(number) && (await isClosed(forge, number))) closed.add(number);
    return closed.has(number);
  };
  const facts: IssueFacts[] = [];
  for (const { number, title, labels, body, createdAt, author } of open) {
    const unmet: number[] = [];
    for (const other of needsOf(needs, number, body)) {
      if (!(await isMet(other))) unmet.push(other);
    }
    const wish = await wishOf(forge, { body, author });
    facts.push({ number, title, labels, createdAt, unmet, ...(wish && { wish }) });
  }
  for (const number of needs.keys()) if (!openNumbers.has(number)) needs.delete(number);
  return facts;
}

/** `pawl issue add` writes with an account of Pawl's own: the user has written it. */
async function wishOf(
  forge: ReadForge,
  issue: Pick<Issue, "body" | "author">,
): Promise<Wish | undefined> {
  const wish = agentWish(issue);
  if (wish === undefined) return undefined;
  const account = async () => forge.account?.();
  const isOwn = (await ownAccounts({ account })).has(wish.author);
  return isOwn ? { ...wish, own: true } : wish;
}

function needsOf(needs: KnownIssues["needs"], number: number, body: string): number[] {
  const known = needs.get(number);
  if (known?.body === body) return known.numbers;
  const numbers = dependencies(body, number);
  if (numbers.length > 0) needs.set(number, { body, numbers });
  else needs.delete(number);
  return numbers;
}

/**
 * An issue that does not exist is not closed: issues that depend on it wait, and that is reported.
 */
async function isClosed(forge: Pick<Forge, "issue">, number: number): Promise<boolean> {
  return (await forge.issue(number))?.state === "closed";
}
