// Routes about issues: the tracker, whichever forge it is.
import type { Hono } from "hono";
import {
  issueChangeSchema,
  issueQuerySchema,
  newCommentSchema,
  newIssueSchema,
  type IssueWithCommentsView,
} from "../../api/issues.ts";
import type { ProjectName } from "../../core/ids.ts";
import type { Issue } from "../../core/issue.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge } from "../../ports/forge.ts";
import { iso } from "../views/agents.ts";
import { dependenciesView } from "../views/dependencies.ts";
import { issueView } from "../views/issues.ts";
import { bodyOf, engineOf, projectFor, type Request, type Routes } from "./context.ts";
import { NEXT_HEADER, page, pageAsked } from "./paging.ts";

type ForgeFor = (request: Request) => Promise<{ name: ProjectName; forge: Forge }>;

export function addIssues(app: Hono, routes: Routes): void {
  const forgeFor: ForgeFor = async (request) => {
    const { name } = await projectFor(routes, request);
    return { name, forge: (await routes.ports.project(name)).forge };
  };
  addReads(app, forgeFor);
  addWrites(app, routes, forgeFor);
}

function addReads(app: Hono, forgeFor: ForgeFor): void {
  app.get("/v1/issues", async (context) => {
    const { forge } = await forgeFor(context);
    const { state, label } = issueQuerySchema.parse(context.req.query());
    const { limit, after } = pageAsked(context);
    const from = Number(after ?? 0);
    if (forge.issuePage !== undefined && limit !== undefined && Number.isSafeInteger(from)) {
      // One more tells whether there is a next page.
      const found = await forge.issuePage({ state, label, after: from, limit: limit + 1 });
      const last = found.length > limit ? found[limit - 1] : undefined;
      if (last !== undefined) context.header(NEXT_HEADER, String(last.number));
      return context.json(found.slice(0, limit).map(issueView));
    }
    const issues = await forge.issues({ state });
    const wanted = issues.filter((issue) => label === undefined || issue.labels.includes(label));
    return page(context, wanted.map(issueView), ({ number }) => String(number));
  });

  app.get("/v1/issues/:number", async (context) => {
    const { forge } = await forgeFor(context);
    const issue = await issueOf(forge, context.req.param("number"));
    const comments = await forge.comments(issue.number);
    const edits = (await forge.edits?.(issue.number)) ?? [];
    const view: IssueWithCommentsView = {
      ...issueView(issue),
      edits: edits.map(({ title, body, at }) => ({ title, body, edited_at: iso(at) })),
      comments: comments.map(({ author, body, createdAt }) => {
        return { author, body, created_at: iso(createdAt) };
      }),
    };
    return context.json(view);
  });

  app.get("/v1/dependencies", async (context) => {
    const { forge } = await forgeFor(context);
    return context.json(await dependenciesView(forge));
  });
}

function addWrites(app: Hono, routes: Routes, forgeFor: ForgeFor): void {
  /**
   * What a person changed may make an issue ready: the backlog is looked at again. A command that
   * stands in for the daemon leaves that to the next one, because it is gone before it could look.
   */
  const changed = (name: ProjectName): void => {
    if (routes.daemon !== null) engineOf(routes).observe.nudge(name);
  };

  app.post("/v1/issues", async (context) => {
    engineOf(routes);
    const input = await bodyOf(context, newIssueSchema);
    const { name, forge } = await forgeFor(context);
    for (const number of input.dependsOn) await issueOf(forge, String(number));
    const { title, labels, key, author } = input;
    const body = withDependencies(input.body, input.dependsOn);
    const issue = await forge.createIssue({ title, body, labels, key, author });
    changed(name);
    return context.json(issueView(issue), 201);
  });

  app.patch("/v1/issues/:number", async (context) => {
    engineOf(routes);
    const wanted = await bodyOf(context, issueChangeSchema);
    const { name, forge } = await forgeFor(context);
    const { number } = await issueOf(forge, context.req.param("number"));
    const issue = await forge.editIssue(number, withoutUndefined(wanted));
    changed(name);
    return context.json(issueView(issue));
  });

  app.post("/v1/issues/:number/comments", async (context) => {
    engineOf(routes);
    const input = await bodyOf(context, newCommentSchema);
    const { name, forge } = await forgeFor(context);
    const number = await commentable(forge, context.req.param("number"));
    const { author, body, createdAt } = await forge.comment({ issue: number, ...input });
    // It may answer what was asked there.
    changed(name);
    return context.json({ author, body, created_at: iso(createdAt) }, 201);
  });
}

async function issueOf(forge: Forge, text: string): Promise<Issue> {
  const number = Number(text.replace(/^#/, ""));
  const issue = Number.isSafeInteger(number) ? await forge.issue(number) : undefined;
  if (issue !== undefined) return issue;
  if (Number.isSafeInteger(number)) await refusePr(forge, number);
  throw new OperationError(`there is no issue ${text}`, {
    code: "not-found",
    hint: "see `pawl issue list --state all`",
  });
}

/** Issues and PRs share one row of numbers: a PR's is taken for an issue's easily. */
async function refusePr(forge: Forge, number: number): Promise<void> {
  const pr = await forge.pr(number);
  if (pr === undefined) return;
  throw new OperationError(`#${number} is a PR (of branch ${pr.branch}), not an issue`, {
    code: "not-found",
    hint: `\`pawl pr show ${number}\` shows it, and \`pawl why ${number}\` says which issue it is for`,
  });
}

/** Comments can be made on PRs too: they share the numbers. */
async function commentable(forge: Forge, text: string): Promise<number> {
  const number = Number(text.replace(/^#/, ""));
  const isPr = Number.isSafeInteger(number) && (await forge.pr(number)) !== undefined;
  return isPr ? number : (await issueOf(forge, text)).number;
}

/** Dependencies are part of the issue's text, so that every forge can show and change them. */
function withDependencies(body: string, dependsOn: number[]): string {
  if (dependsOn.length === 0) return body;
  const section = `## Dependencies\n\n${dependsOn.map((number) => `- #${number}`).join("\n")}\n`;
  return body.trim() === "" ? section : `${body.trimEnd()}\n\n${section}`;
}

const withoutUndefined = <T extends object>(value: T) =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
