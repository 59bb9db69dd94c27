// Every change that the adapter makes on a real Gitea, cut off before it is sent, after it is sent and
// before its answer is read, and after the answer; then made again by a process that remembers nothing.
// Nothing is made twice (invariant h). The whole program dies in crash.test.ts, which says how both are
// asked for.
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createGiteaForge } from "../../src/adapters/forge-gitea/gitea-forge.ts";
import type { CrashPoint } from "../../src/lib/crash-point.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { DEATHS } from "../support/deaths.ts";
import { cloneOf } from "../support/gitea-clone.ts";
import { noGitea, startGitea, type RealGitea } from "../support/real-gitea.ts";

const DEATHS_MAX = 20;
const isAskedFor = process.env["PAWL_CRASH_ALL"] !== undefined;

describe.skipIf(noGitea || !isAskedFor)("on a real Gitea", () => {
  let gitea: RealGitea;
  beforeAll(async () => {
    gitea = await startGitea();
  });
  afterAll(() => gitea.close());

  test.each(DEATHS)("cut off at %s, every call makes everything once", async (point, count) => {
    const repo = point.replaceAll(".", "-");
    await gitea.makeRepo(repo, "admin");
    const lives = { deaths: 0 };

    /** Done by one life after the other, each of which ends at its first change, or its second. */
    async function survive<T>(call: (forge: Forge) => Promise<T>): Promise<T> {
      for (let death = 0; death <= DEATHS_MAX; death += 1) {
        const { crash, died } = dyingAt(point, count);
        const done = call(forgeOf(gitea, { repo, crash })).then((value) => ({ value }));
        const ended = await Promise.race([done, died]);
        if (ended !== undefined) return ended.value;
        lives.deaths += 1;
      }
      throw new Error("it dies again and again, and gets nowhere");
    }

    await changeEverything(survive, gitea.remote(repo, gitea.tokens.dev));
    expect(lives.deaths).toBeGreaterThanOrEqual(6);
    await expectOnce(gitea, repo);
  });
});

/**
 * The call that passes the point for the last time never returns: as in a process that was killed.
 */
function dyingAt(point: string, count: number): { crash: CrashPoint; died: Promise<undefined> } {
  let left = count;
  let die = (): void => undefined;
  const died = new Promise<undefined>((resolve) => {
    die = (): void => resolve(undefined);
  });
  const crash: CrashPoint = (passed) => {
    if (passed !== point) return undefined;
    left -= 1;
    if (left > 0) return undefined;
    die();
    return new Promise<void>(() => undefined);
  };
  return { crash, died };
}

function forgeOf(gitea: RealGitea, { repo, crash }: { repo: string; crash: CrashPoint }): Forge {
  const { dev, review } = gitea.tokens;
  return createGiteaForge({
    url: gitea.url,
    owner: "team",
    repo,
    token: { value: dev, name: "FORGE_TOKEN" },
    reviewToken: { value: review, name: "FORGE_REVIEW_TOKEN" },
    secrets: [dev, review],
    factory: async () => ({ id: "f1", home: "h1" }),
    now: () => Date.now(),
    wait: async (ms) => wait(ms),
    crash,
  });
}

type Survive = <T>(call: (forge: Forge) => Promise<T>) => Promise<T>;

/** Each mutation of the port, at least once. */
async function changeEverything(survive: Survive, remote: string): Promise<void> {
  const clone = cloneOf(remote);
  const filed = { title: "one", body: "b", labels: ["backlog"], key: "one", author: "ann" };
  const { number: issue } = await survive((forge) => forge.createIssue(filed));
  await survive((forge) => forge.comment({ issue, body: "hello", author: "pawl", key: "said" }));
  await survive((forge) => forge.claim(issue, "mine"));
  const pr = async (branch: string) => {
    const head = clone.push(branch);
    const of = { branch, head, target: "main", title: branch, body: "", issue, key: branch };
    return survive((forge) => forge.ensurePr(of));
  };
  const first = await pr("pawl/1");
  const { number, head } = first;
  const status = { context: "pawl/ci", description: "", url: undefined };
  for (const state of ["pending", "success"] as const) {
    await survive((forge) => forge.setStatus(head, { ...status, state }));
  }
  for (const verdict of ["request-changes", "approve"] as const) {
    const given = { pr: number, head, verdict, body: verdict, author: "pawl-review", key: verdict };
    const { id } = await survive((forge) => forge.review(given));
    if (verdict === "approve") continue;
    await survive((forge) => forge.dismissReview({ pr: number, id, why: "superseded" }));
  }
  await survive(async (forge) =>
    expect(await forge.mergePr?.({ pr: number, head, strategy: "merge" })).toMatchObject({
      kind: "merged",
    }),
  );
  clone.fetch();
  const second = await pr("pawl/2");
  clone.land(second.head);
  const merged = { state: "merged", mergedAs: second.head } as const;
  await survive((forge) => forge.finishPr(second.number, merged));
  clone.fetch();
  const third = await pr("pawl/3");
  await survive((forge) => forge.finishPr(third.number, { state: "closed" }));
  const over = { state: "closed", removeLabels: ["in-progress"], addLabels: ["done"] } as const;
  await survive((forge) =>
    forge.editIssue(issue, { ...over, removeLabels: [...over.removeLabels], addLabels: ["done"] }),
  );
  clone.remove();
}

async function expectOnce(gitea: RealGitea, repo: string): Promise<void> {
  const on = <T>(path: string): Promise<T> =>
    gitea.call<T>(gitea.tokens.owner, `GET /repos/team/${repo}${path}`);
  type Shown = { number: number; state: string; labels: { name: string }[]; merged: boolean };
  const issues = await on<Shown[]>("/issues?state=all&type=issues");
  expect(issues.map(({ state, labels }) => [state, ...labels.map(({ name }) => name)])).toEqual([
    ["closed", "done"],
  ]);
  const comments = await on<{ body: string }[]>("/issues/comments");
  expect(comments.map(({ body }) => body.split("\n")[0])).toEqual(["hello"]);
  const prs = (await on<Shown[]>("/pulls?state=all")).toSorted((a, b) => a.number - b.number);
  expect(prs.map(({ state, merged }) => [state, merged])).toEqual([
    ["closed", true],
    ["closed", true],
    ["closed", false],
  ]);
  const reviews = await on<{ state: string }[]>(`/pulls/${prs[0]?.number}/reviews`);
  expect(reviews.map(({ state }) => state)).toEqual(["REQUEST_CHANGES", "APPROVED"]);
  const labels = (await on<{ name: string }[]>("/labels")).map(({ name }) => name);
  expect(labels.toSorted()).toEqual(["backlog", "done", "in-progress"]);
  const [pr] = await on<{ head: { sha: string } }[]>("/pulls?state=all&sort=oldest");
  const statuses = await on<{ status: string }[]>(`/commits/${pr?.head.sha}/statuses`);
  expect(statuses.map(({ status }) => status).toSorted()).toEqual(["pending", "success"]);
}
