// What one channel still has to bring, and what it brought lately, as data: repeated news is
// folded, failures are tried again within a budget, and everything has a bound. Pure.
import type { News } from "../../ports/notifier.ts";
import { isAtLeast } from "../../core/channel.ts";

const PENDING_MAX = 100;
const RECENT_MAX = 200;
const KEYS_MAX = 50;
const ATTEMPTS_MAX = 6;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 300_000;

export type Notice = { news: News; attempts: number; notBefore: number };

/** News with this title was brought; what comes like it before `until` is counted. */
type Recent = { title: string; until: number; count: number; last: News; keys: string[] };

export type Notices = {
  pending: Notice[];
  recent: Recent[];
  /** Why the last try failed, and how much was given up since it last worked. */
  trouble?: { at: number; why: string; givenUp: number } | undefined;
  /** The UTC day that was summed up last. */
  summedUp?: string;
};

export const noNotices = (): Notices => ({ pending: [], recent: [] });

/** Takes news in once by its key. The first with its title goes out, those like it are counted. */
export function accept(
  notices: Notices,
  news: News,
  { at, foldMs }: { at: number; foldMs: number },
): Notices {
  const known = notices.recent.find(({ title }) => title === news.title);
  if (known?.keys.includes(news.key) === true) return notices;
  const keys = [...(known?.keys ?? []), news.key].slice(-KEYS_MAX);
  const isLike = known !== undefined && known.until > at;
  const isWorse = known !== undefined && !isAtLeast(known.last.severity, news.severity);
  if (isLike && !isWorse) {
    return {
      ...notices,
      recent: replace(notices.recent, { ...known, count: known.count + 1, last: news, keys }),
    };
  }
  const fresh = { title: news.title, until: at + foldMs, count: 0, last: news, keys };
  return enqueue(
    { ...notices, recent: replace(notices.recent, fresh).slice(-RECENT_MAX) },
    news,
    at,
  );
}

const replace = (recent: Recent[], one: Recent): Recent[] => [
  ...recent.filter(({ title }) => title !== one.title),
  one,
];

/** The oldest give way: what is new matters more, and the number of the others is told. */
function enqueue(notices: Notices, news: News, at: number): Notices {
  const pending = [...notices.pending, { news, attempts: 0, notBefore: at }];
  const over = pending.length - PENDING_MAX;
  if (over <= 0) return { ...notices, pending };
  return gaveUp(
    { ...notices, pending: pending.slice(over) },
    { at, why: "too many notifications at once" },
    over,
  );
}

/** Windows that are over: what was counted in them goes out as one. */
export function foldDue(notices: Notices, { at, foldMs }: { at: number; foldMs: number }): Notices {
  const over = notices.recent.filter(({ until }) => until <= at);
  if (over.length === 0) return notices;
  let next: Notices = { ...notices, recent: notices.recent.filter(({ until }) => until > at) };
  for (const { title, count, last, keys, until } of over) {
    if (count === 0) continue;
    const folded = { ...last, key: `${last.key}:folded:${until}`, title: repeated(title, count) };
    const again = { title, until: at + foldMs, count: 0, last, keys };
    next = enqueue({ ...next, recent: [...next.recent, again] }, folded, at);
  }
  return next;
}

const repeated = (title: string, count: number): string =>
  `${title} (${count} more ${count === 1 ? "time" : "times"})`;

export const dueNotice = ({ pending }: Notices, at: number): Notice | undefined =>
  pending.find(({ notBefore }) => notBefore <= at);

/** When there is something to do next. */
export function nextAt({ pending, recent }: Notices): number | undefined {
  const times = [...pending.map(({ notBefore }) => notBefore), ...recent.map(({ until }) => until)];
  return times.length === 0 ? undefined : Math.min(...times);
}

export const brought = (notices: Notices, key: string): Notices => ({
  ...notices,
  pending: notices.pending.filter(({ news }) => news.key !== key),
  trouble: undefined,
});

export function notBrought(
  notices: Notices,
  key: string,
  failure: { at: number; why: string; retryable: boolean },
): Notices {
  const { at, why, retryable } = failure;
  const tried = notices.pending.find(({ news }) => news.key === key);
  if (tried === undefined) return notices;
  const attempts = tried.attempts + 1;
  if (!retryable || attempts >= ATTEMPTS_MAX) {
    const pending = notices.pending.filter((one) => one !== tried);
    return gaveUp({ ...notices, pending }, { at, why }, 1);
  }
  const notBefore = at + Math.min(RETRY_FIRST_MS * 2 ** (attempts - 1), RETRY_MAX_MS);
  const pending = notices.pending.map((one) =>
    one === tried ? { ...one, attempts, notBefore } : one,
  );
  const { givenUp = 0 } = notices.trouble ?? {};
  return { ...notices, pending, trouble: { at, why, givenUp } };
}

function gaveUp(notices: Notices, { at, why }: { at: number; why: string }, more: number): Notices {
  return { ...notices, trouble: { at, why, givenUp: (notices.trouble?.givenUp ?? 0) + more } };
}
