import { expect, test } from "vitest";
import type { News } from "../../ports/notifier.ts";
import { accept, brought, dueNotice, foldDue, nextAt, noNotices, notBrought } from "./notices.ts";

const FOLD = { foldMs: 600_000 };

const news = (key: string, change: Partial<News> = {}): News => ({
  key,
  severity: "warning",
  title: "the disk is full",
  body: key,
  project: "toy",
  ...change,
});

const titles = ({ pending }: ReturnType<typeof noNotices>) => pending.map((one) => one.news.title);

test("the first goes out, repetitions within the window become one with a count", () => {
  let notices = noNotices();
  for (let index = 0; index < 4; index += 1) {
    notices = accept(notices, news(`k${index}`), { at: index * 1000, ...FOLD });
  }
  expect(titles(notices)).toEqual(["the disk is full"]);
  notices = brought(notices, "k0");
  expect(foldDue(notices, { at: 599_999, ...FOLD })).toBe(notices);
  notices = foldDue(notices, { at: 600_000, ...FOLD });
  expect(titles(notices)).toEqual(["the disk is full (3 more times)"]);
  expect(notices.pending[0]?.news.body).toBe("k3");
  // The next window begins: a storm is one piece of news per window.
  notices = accept(notices, news("k9"), { at: 600_001, ...FOLD });
  expect(titles(notices)).toHaveLength(1);
});

test("after a quiet window the same title is news again", () => {
  const first = brought(accept(noNotices(), news("a"), { at: 0, ...FOLD }), "a");
  const quiet = foldDue(first, { at: 600_000, ...FOLD });
  expect(quiet.recent).toEqual([]);
  expect(titles(accept(quiet, news("b"), { at: 600_001, ...FOLD }))).toEqual(["the disk is full"]);
});

test("what is worse than what was told goes out at once", () => {
  const first = accept(noNotices(), news("a"), { at: 0, ...FOLD });
  const worse = accept(first, news("b", { severity: "urgent" }), { at: 1, ...FOLD });
  expect(worse.pending.map((one) => one.news.severity)).toEqual(["warning", "urgent"]);
});

test("an effect that is repeated after a crash is taken in once", () => {
  const first = accept(noNotices(), news("a"), { at: 0, ...FOLD });
  expect(accept(first, news("a"), { at: 5, ...FOLD })).toBe(first);
  const sent = brought(first, "a");
  expect(accept(sent, news("a"), { at: 9, ...FOLD })).toBe(sent);
});

test("a failure is tried again later and given up in the end, and both can be seen", () => {
  let notices = accept(noNotices(), news("a"), { at: 0, ...FOLD });
  const failure = { why: "refused", retryable: true };
  let at = 0;
  for (let tries = 0; tries < 5; tries += 1) {
    notices = notBrought(notices, "a", { at, ...failure });
    expect(dueNotice(notices, at)).toBeUndefined();
    expect(notices.trouble).toEqual({ at, why: "refused", givenUp: 0 });
    at = notices.pending[0]?.notBefore ?? 0;
    expect(dueNotice(notices, at)?.attempts).toBe(tries + 1);
  }
  notices = notBrought(notices, "a", { at, ...failure });
  expect(notices.pending).toEqual([]);
  expect(notices.trouble?.givenUp).toBe(1);
});

test("what can never go through is not tried again", () => {
  const taken = accept(noNotices(), news("a"), { at: 0, ...FOLD });
  const failed = notBrought(taken, "a", { at: 1, why: "no address", retryable: false });
  expect(failed.pending).toEqual([]);
  expect(failed.trouble).toEqual({ at: 1, why: "no address", givenUp: 1 });
});

test("a success takes the trouble away", () => {
  const taken = accept(noNotices(), news("a"), { at: 0, ...FOLD });
  const failed = notBrought(taken, "a", { at: 1, why: "refused", retryable: true });
  expect(brought(failed, "a").trouble).toBeUndefined();
});

test("news beyond the bound pushes out the oldest, and the number is told", () => {
  let notices = noNotices();
  for (let index = 0; index < 130; index += 1) {
    notices = accept(notices, news(`k${index}`, { title: `title ${index}` }), { at: 0, ...FOLD });
  }
  expect(notices.pending).toHaveLength(100);
  expect(notices.trouble?.givenUp).toBe(30);
});

test("the next moment with something to do is the soonest of tries and windows", () => {
  expect(nextAt(noNotices())).toBeUndefined();
  const taken = accept(noNotices(), news("a"), { at: 7, ...FOLD });
  expect(nextAt(taken)).toBe(7);
  expect(nextAt(brought(taken, "a"))).toBe(600_007);
});
