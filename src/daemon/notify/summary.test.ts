import { expect, test } from "vitest";
import type { StatusView } from "../../api/runs.ts";
import { summaryDue, summaryNews } from "./summary.ts";

const at = (time: string): number => Date.parse(`2026-03-02T${time}:00.000Z`);

test("a day is summed up once, from its time on", () => {
  const summary = { summaryAt: 8 * 60, summedUp: undefined };
  expect(summaryDue(at("07:59"), summary)).toBeUndefined();
  expect(summaryDue(at("08:00"), summary)).toBe("2026-03-02");
  // A daemon that was down at eight says it when it is back.
  expect(summaryDue(at("15:30"), summary)).toBe("2026-03-02");
  expect(summaryDue(at("15:30"), { ...summary, summedUp: "2026-03-02" })).toBeUndefined();
  expect(summaryDue(at("15:30"), { summaryAt: undefined, summedUp: undefined })).toBeUndefined();
});

test("it counts what landed within a day and names what waits for a person", () => {
  const status = {
    landed: [{ at: "2026-03-02T01:00:00.000Z" }, { at: "2026-02-27T01:00:00.000Z" }],
    runs: [{ outcome: "blocked" }, { outcome: null }],
    waits: Array.from({ length: 12 }, (_, index) => ({
      needs_you: index !== 0,
      about: `#${index}`,
      why: "asks",
    })),
    projects: [{ backlog: { ready: 4 } }],
  } as unknown as StatusView;
  const news = summaryNews(status, { project: "toy", day: "2026-03-02", at: at("08:00") });
  expect(news.title).toBe("2026-03-02: 1 landed, 1 blocked, 11 for you");
  expect(news.body.split("\n")).toHaveLength(12);
  expect(news.body).toContain("At work: 1. Ready in the backlog: 4.");
  expect(news.body).toContain("- and 1 more");
});
