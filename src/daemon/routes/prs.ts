// Routes about PRs and their reviews.
import type { Hono } from "hono";
import {
  newReviewSchema,
  prQuerySchema,
  type PrView,
  type PrWithReviewsView,
} from "../../api/prs.ts";
import type { Run } from "../../core/run/run.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge, Pr } from "../../ports/forge.ts";
import { iso } from "../views/agents.ts";
import { checkView } from "../views/checks.ts";
import { bodyOf, engineOf, projectFor, runs, type Request, type Routes } from "./context.ts";
import { page } from "./page.ts";

export function addPrs(app: Hono, routes: Routes): void {
  const forgeFor = async (request: Request) => {
    const { name } = await projectFor(routes, request);
    return { name, forge: (await routes.ports.project(name)).forge };
  };

  app.get("/v1/prs", async (context) => {
    const { name, forge } = await forgeFor(context);
    const { state } = prQuerySchema.parse(context.req.query());
    const all = await runs(routes, name);
    const views = (await forge.prs({ state })).map((pr) => prView(pr, runOf(pr, all)));
    return page(context, views, ({ number }) => String(number));
  });

  app.get("/v1/prs/:number", async (context) => {
    const { name, forge } = await forgeFor(context);
    const pr = await prOf(forge, context.req.param("number"));
    const run = runOf(pr, await runs(routes, name));
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
const runOf = (pr: Pr, all: Run[]): Run | undefined => all.findLast((run) => run.pr === pr.number);

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
