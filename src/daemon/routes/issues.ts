// Routes about issues: the tracker, whichever forge it is.
import type { Hono } from "hono";
import { z } from "zod";
import { LABELS, type Issue } from "../../core/issue.ts";
import { cycles, dependencies } from "../../core/project/backlog.ts";
import type { ProjectName } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge } from "../../ports/forge.ts";
import { iso } from "../views/agents.ts";
import { engineOf, projectFor, type Routes } from "./context.ts";

const TITLE_MAX = 1000;

const newIssue = z.object({
  title: z.string().trim().min(1, "an issue needs a title").max(TITLE_MAX),
  body: z.string().default(""),
  labels: z.array(z.string().min(1)).default([LABELS.backlog]),
  dependsOn: z.array(z.number().int().positive()).default([]),
  key: z.string().min(1),
  author: z.string().default("operator"),
});

const change = z.object({
  title: z.string().trim().min(1).max(TITLE_MAX).optional(),
  body: z.string().optional(),
  state: z.enum(["open", "closed"]).optional(),
  addLabels: z.array(z.string().min(1)).optional(),
  removeLabels: z.array(z.string().min(1)).optional(),
});

const newComment = z.object({ body: z.string().min(1), author: z.string(), key: z.string() });

export const issueView = (issue: Issue) => ({
  number: issue.number,
  title: issue.title,
  state: issue.state,
  labels: issue.labels,
  body: issue.body,
  author: issue.author,
  depends_on: dependencies(issue.body, issue.number),
  created_at: iso(issue.createdAt),
  updated_at: iso(issue.updatedAt),
  url: issue.url ?? null,
});

export function addIssues(app: Hono, routes: Routes): void {
  const forgeFor = async (context: Parameters<typeof projectFor>[1]) => {
    const project = await projectFor(routes, context);
    return { name: project.name, forge: (await routes.ports.project(project.name)).forge };
  };
  /** What a person changed may make an issue ready: the backlog is looked at again. */
  const changed = (name: ProjectName): void => engineOf(routes).observe.nudge(name);

  app.get("/v1/issues", async (context) => {
    const { forge } = await forgeFor(context);
    const state = z
      .enum(["open", "closed", "all"])
      .default("open")
      .parse(context.req.query("state"));
    const label = context.req.query("label");
    const issues = await forge.issues({ state });
    const wanted = issues.filter((issue) => label === undefined || issue.labels.includes(label));
    return context.json(wanted.map(issueView));
  });

  app.post("/v1/issues", async (context) => {
    engineOf(routes);
    const { name, forge } = await forgeFor(context);
    const input = newIssue.parse(await context.req.json());
    const { title, labels, key, author } = input;
    const body = withDependencies(input.body, input.dependsOn);
    const issue = await forge.createIssue({ title, body, labels, key, author });
    changed(name);
    return context.json(issueView(issue), 201);
  });

  app.get("/v1/issues/:number", async (context) => {
    const { forge } = await forgeFor(context);
    const issue = await issueOf(forge, context.req.param("number"));
    const comments = await forge.comments(issue.number);
    return context.json({
      ...issueView(issue),
      comments: comments.map(({ author, body, createdAt }) => ({
        author,
        body,
        created_at: iso(createdAt),
      })),
    });
  });

  app.patch("/v1/issues/:number", async (context) => {
    engineOf(routes);
    const { name, forge } = await forgeFor(context);
    const { number } = await issueOf(forge, context.req.param("number"));
    const wanted = change.parse(await context.req.json());
    const issue = await forge.editIssue(number, withoutUndefined(wanted));
    changed(name);
    return context.json(issueView(issue));
  });

  app.post("/v1/issues/:number/comments", async (context) => {
    engineOf(routes);
    const { forge } = await forgeFor(context);
    const { number } = await issueOf(forge, context.req.param("number"));
    const comment = await forge.comment({
      issue: number,
      ...newComment.parse(await context.req.json()),
    });
    return context.json(
      { author: comment.author, body: comment.body, created_at: iso(comment.createdAt) },
      201,
    );
  });

  app.get("/v1/dependencies", async (context) => {
    const { forge } = await forgeFor(context);
    const open = await forge.issues({ state: "open" });
    const edges = open.map(({ number, body }) => ({ number, unmet: dependencies(body, number) }));
    return context.json({ edges, cycles: cycles(edges) });
  });
}

async function issueOf(forge: Forge, text: string): Promise<Issue> {
  const number = Number(text.replace(/^#/, ""));
  const issue = Number.isSafeInteger(number) ? await forge.issue(number) : undefined;
  if (issue !== undefined) return issue;
  throw new OperationError(`there is no issue ${text}`, {
    code: "not-found",
    hint: "see `pawl issue list --state all`",
  });
}

/** Dependencies are part of the issue's text, so that every forge can show and change them. */
function withDependencies(body: string, dependsOn: number[]): string {
  if (dependsOn.length === 0) return body;
  const section = `## Dependencies\n\n${dependsOn.map((number) => `- #${number}`).join("\n")}\n`;
  return body.trim() === "" ? section : `${body.trimEnd()}\n\n${section}`;
}

const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]-?: Exclude<T[K], undefined>;
  };
