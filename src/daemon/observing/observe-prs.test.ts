import { expect, test } from "vitest";
import { testConfig } from "../../../test/support/config.ts";
import { testRole } from "../../../test/support/review.ts";
import { PROJECT } from "../../../test/support/run.ts";
import type { Event } from "../../core/event.ts";
import { commitId } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import type { Pr, Review, Status } from "../../ports/forge.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { observePrs } from "./observe-prs.ts";

const head = commitId("h1");
const pr = (number: number, change: Partial<Pr> = {}): Pr => ({
  number,
  title: "Fix it",
  body: "",
  branch: `fix-${number}`,
  head,
  target: "main",
  issue: undefined,
  state: "open",
  mergedAs: undefined,
  createdAt: 0,
  updatedAt: 0,
  ...change,
});

async function seen(prs: Pr[], said: { state?: Status["state"]; reviews?: Partial<Review>[] }) {
  const events: Event[] = [];
  const forge = { kind: "gitea", url: "https://f.example", owner: "o", repo: "r" } as const;
  const review = { required: false, role: testRole() };
  const config = { ...testConfig(), target: "main", forge, review };
  const status = { context: "ci", state: said.state ?? "success", description: "", url: undefined };
  await observePrs(
    {
      store: createMemoryStore(),
      clock: {
        now: () => 5,
        monotonicMs: () => 5,
        boot: "",
        after: () => ({ cancel: () => undefined }),
      },
      loop: {
        submit: async ({ event }) => {
          events.push(event);
          return true;
        },
      },
    },
    { name: PROJECT, config } as Project,
    {
      prs: async () => prs,
      reviews: async () => (said.reviews ?? []) as Review[],
      statuses: async () => [status],
    },
  );
  return events;
}

test("a person's green PR without a review is given to the review role", async () => {
  const events = await seen([pr(3), pr(4, { title: "WIP: later" })], {});
  expect(events).toMatchObject([{ kind: "review-wanted", wanted: { pr: 3, run: undefined } }]);
});

test("a red one waits, and one that was reviewed at this head is ignored", async () => {
  expect(await seen([pr(3)], { state: "pending" })).toEqual([]);
  expect(await seen([pr(3)], { reviews: [{ head, dismissed: false }] })).toEqual([]);
  expect(await seen([pr(3)], { reviews: [{ head, dismissed: true }] })).toHaveLength(1);
});
