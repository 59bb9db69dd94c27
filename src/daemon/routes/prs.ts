// Routes about PRs and their reviews.
import type { Hono } from "hono";
import { z } from "zod";
import type { ReviewVerdict } from "../../core/review.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge, Pr } from "../../ports/forge.ts";
import { iso } from "../views/agents.ts";
import { engineOf, projectFor, type Routes } from "./context.ts";

const newReview = z.object({
  verdict: z.enum(["approve", "request-changes", "discuss"]) satisfies z.ZodType<ReviewVerdict>,
  body: z.string(),
  author: z.string(),
  key: z.string(),
});

const prView = (pr: Pr) => ({
  number: pr.number,
  title: pr.title,
  branch: pr.branch,
  head: pr.head,
  target: pr.target,
  issue: pr.issue ?? null,
  state: pr.state,
  merged_as: pr.mergedAs ?? null,
  created_at: iso(pr.createdAt),
  updated_at: iso(pr.updatedAt),
});

export function addPrs(app: Hono, routes: Routes): void {
  const forgeFor = async (context: Parameters<typeof projectFor>[1]) => {
    const project = await projectFor(routes, context);
    return { name: project.name, forge: (await routes.ports.project(project.name)).forge };
  };

  app.get("/v1/prs", async (context) => {
    const { forge } = await forgeFor(context);
    const state = z.enum(["open", "all"]).default("open").parse(context.req.query("state"));
    return context.json((await forge.prs({ state })).map(prView));
  });

  app.get("/v1/prs/:number", async (context) => {
    const { forge } = await forgeFor(context);
    const pr = await prOf(forge, context.req.param("number"));
    const reviews = await forge.reviews(pr.number);
    return context.json({
      ...prView(pr),
      body: pr.body,
      reviews: reviews.map(({ author, verdict, head, body, createdAt }) => ({
        author,
        verdict,
        head,
        body,
        created_at: iso(createdAt),
      })),
    });
  });

  app.post("/v1/prs/:number/reviews", async (context) => {
    const { observe } = engineOf(routes);
    const { name, forge } = await forgeFor(context);
    const pr = await prOf(forge, context.req.param("number"));
    const input = newReview.parse(await context.req.json());
    if (pr.state !== "open") {
      throw new OperationError(`cannot review PR #${pr.number}: it is ${pr.state}`, {
        code: "pr-over",
      });
    }
    const review = await forge.review({ pr: pr.number, head: pr.head, ...input });
    observe.nudge(name);
    return context.json({ verdict: review.verdict, head: review.head }, 201);
  });
}

async function prOf(forge: Forge, text: string): Promise<Pr> {
  const number = Number(text.replace(/^#/, ""));
  const pr = Number.isSafeInteger(number) ? await forge.pr(number) : undefined;
  if (pr !== undefined) return pr;
  throw new OperationError(`there is no PR ${text}`, {
    code: "not-found",
    hint: "see `pawl pr list --state all`",
  });
}
