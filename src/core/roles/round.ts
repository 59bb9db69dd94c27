// What a standing role remembers between two rounds: its findings, so that a model is not asked
// twice about the same one, and the small findings ("dust") it has gathered.
import type { Finding } from "./facts.ts";
import type { Dust } from "./result.ts";

const DAY_MS = 86_400_000;
/**
 * About a week, but less than the time between two rounds of a weekly role: its answer is always
 * some minutes younger than its last round, and it must ask again in the next one.
 */
const ASKED_AGAIN_MS = 6.5 * DAY_MS;
const DUST_LIFE_MS = 30 * DAY_MS;
/** So many pieces of one group become an issue. */
const BUNDLE_MIN = 3;
const ASKED_MAX = 2000;

export type Memory = {
  /** When a finding was last given to an agent that answered. */
  asked: Record<string, number>;
  dust: (Dust & { at: number })[];
};

export const NOTHING_REMEMBERED: Memory = { asked: {}, dust: [] };

/** Findings that were not answered within a week. */
export const unanswered = (findings: Finding[], memory: Memory, at: number): Finding[] =>
  findings.filter(({ name }) => {
    const asked = memory.asked[name];
    return asked === undefined || at - asked >= ASKED_AGAIN_MS;
  });

export function answered(memory: Memory, findings: Finding[], at: number): Memory {
  const kept = Object.entries(memory.asked).filter(([, since]) => at - since < ASKED_AGAIN_MS);
  const asked = [...kept, ...findings.map(({ name }): [string, number] => [name, at])];
  return { ...memory, asked: Object.fromEntries(asked.slice(-ASKED_MAX)) };
}

export type Bundle = { group: string; dust: Dust[] };

/**
 * Adds what was found, forgets what is old or no longer open, and takes out the groups that have
 * become an issue.
 */
export function gather(
  memory: Memory,
  fresh: Dust[],
  now: { at: number; open: readonly { number: number }[] },
): { memory: Memory; bundles: Bundle[] } {
  const { at } = now;
  const isOpen = ({ issue }: Dust): boolean => now.open.some(({ number }) => number === issue);
  const known = memory.dust.filter((piece) => at - piece.at < DUST_LIFE_MS && isOpen(piece));
  const added = fresh.filter(
    (piece) => isOpen(piece) && !known.some(({ issue }) => issue === piece.issue),
  );
  const all = [...known, ...added.map((piece) => ({ ...piece, at }))];
  const groups = [...new Set(all.map(({ group }) => group))];
  const bundles = groups
    .map((group) => ({ group, dust: distinct(all.filter((piece) => piece.group === group)) }))
    .filter(({ dust }) => dust.length >= BUNDLE_MIN);
  const taken = new Set(bundles.map(({ group }) => group));
  const dust = all.filter(({ group }) => !taken.has(group));
  return { memory: { ...memory, dust }, bundles };
}

const distinct = (pieces: Dust[]): Dust[] => [
  ...new Map(
    pieces.map(({ issue, group, title, reason }) => [issue, { issue, group, title, reason }]),
  ).values(),
];
