// Routes about PRs and their reviews.
import type { Hono } from "hono";
import {
  newReviewSchema,
  prQuerySchema,
  type PrView,
  type PrWithReviewsView,
} from "../../api/prs.ts";
import type { ProjectName } from "../../core/ids.ts";
import type { Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge, Pr } from "../../ports/forge.ts";
import { iso } from "../views/agents.ts";
import { checkView } from "../views/checks.ts";
import { livingRuns } from "../views/find-runs.ts";
import { bodyOf, engineOf, projectFor, type Request, type Routes } from "./context.ts";
import { page } from "./paging.ts";

export function addPrs(app: Hono, routes: Routes): void {
  const forgeFor = async (request: Request) => {
    const { name } = await projectFor(routes, request);
    return { name, forge: (await routes.ports.project(name)).forge };
  };

  app.get("/v1/prs", async (context) => {
    const { name, forge } = await forgeFor(context);
    const { state } = prQuerySchema.parse(context.req.query());
    const alive = await livingRuns(routes.store, name);
    const views = (await forge.prs({ state })).map(async (pr) =>
      prView(pr, await runOf(routes, pr, { project: name, alive })),
    );
    return page(context, await Promise.all(views), ({ number }) => String(number));
  });

  app.get("/v1/prs/:number", async (context) => {
    const { name, forge } = await forgeFor(context);
    const pr = await prOf(forge, context.req.param("number"));
    const alive = await livingRuns(routes.store, name);
    const run = await runOf(routes, pr, { project: name, alive });
    const reviews = await forge.reviews(pr.number);
    const view: PrWithReviewsView = {
      ...prView(pr, run),
      body: pr.body,
      check: run === undefined ? null : checkView(run),
      reviews: reviews.map(({ author, verdict, head, body, dismissed, createdAt }) => {
        return { author, verdict, head, body, dismissed, created_at: iso(createdAt) };
      }),
    };
    return context.json(view);
  });

  app.post("/v1/prs/:number/reviews", async (context) => {
    const { observe } = engineOf(routes);
    const { name, forge } = await forgeFor(context);
    const pr = await prOf(forge, context.req.param("number"));
    const input = await bodyOf(context, newReviewSchema);
    if (pr.state !== "open") {
      throw new OperationError(`cannot review PR #${pr.number}: it is ${pr.state}`, {
        code: "pr-over",
      });
    }
    const review = await forge.review({ pr: pr.number, head: pr.head, ...input });
    if (routes.daemon !== null) observe.nudge(name);
    return context.json({ verdict: review.verdict, head: review.head }, 201);
  });
}

/** The run a PR belongs to; of several attempts the last. */
async function runOf(
  { store }: Routes,
  pr: Pr,
  { project, alive }: { project: ProjectName; alive: Run[] },
): Promise<Run | undefined> {
  const found = alive.findLast((run) => run.pr === pr.number);
  if (found !== undefined) return found;
  const query = { kind: "run", project, name: String(pr.number), limit: 1 } as const;
  const ended = (await store.named(query)).at(0)?.state;
  return ended?.kind === "run" && ended.pr === pr.number ? ended : undefined;
}

const prView = (pr: Pr, run: Run | undefined): PrView => ({
  number: pr.number,
  title: pr.title,
  branch: pr.branch,
  head: pr.head,
  target: pr.target,
  issue: pr.issue ?? null,
  state: pr.state,
  merged_as: pr.mergedAs ?? null,
  ci: run === undefined ? "none" : checkView(run).state,
  created_at: iso(pr.createdAt),
  updated_at: iso(pr.updatedAt),
});

async function prOf(forge: Forge, text: string): Promise<Pr> {
  const number = Number(text.replace(/^#/, ""));
  const pr = Number.isSafeInteger(number) ? await forge.pr(number) : undefined;
  if (pr !== undefined) return pr;
  throw new OperationError(`there is no PR ${text}`, {
    code: "not-found",
    hint: "see `pawl pr list --state all`",
  });
}
