// The forge behind a remote, looked at before a project is set up there; and made ready for it.
import type { Hono } from "hono";
import { forgeLookInput, type ForgeView } from "../../api/forges.ts";
import { parseRemoteUrl } from "../../config/remote-url.ts";
import type { ForgeConfig } from "../../core/config.ts";
import { noCrash } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { findTokens, inspectForge } from "../forges.ts";
import { createSecrets } from "../secrets.ts";
import { bodyOf, type Routes } from "./context.ts";

export function addForges(app: Hono, routes: Routes): void {
  app.get("/v1/forges/look", async (request) => {
    const wanted = forgeLookInput.parse(request.req.query());
    return request.json(await look(routes, { ...wanted, prepare: false }));
  });
  /** Makes what is missing there: labels. Repeating it makes nothing twice. */
  app.post("/v1/forges/prepare", async (request) => {
    const wanted = await bodyOf(request, forgeLookInput);
    return request.json(await look(routes, { ...wanted, prepare: true }));
  });
}

async function look(
  routes: Routes,
  { remote, target, prepare }: { remote: string; target: string; prepare: boolean },
): Promise<ForgeView | null> {
  const forge = forgeBehind(remote);
  if (forge === undefined) return null;
  const { dev, review } = await findTokens(forge, createSecrets(routes.paths.home, process.env));
  const view = { kind: forge.kind, url: forge.url, repo: `${forge.owner}/${forge.repo}` };
  const nothing = { login: null, reviewer: null, labels_missing: [], problems: [], advice: [] };
  // Nobody is asked without a token: the remote may be anybody's.
  if (dev instanceof OperationError) return { ...view, ...nothing, token: null };
  const now = (): number => routes.ports.clock.now();
  const own = { now, crash: noCrash, target, prepare };
  const found = await inspectForge(forge, { token: dev, reviewToken: review }, own);
  if (found === undefined) return { ...view, ...nothing, token: dev.name };
  const { labelsMissing, problems, advice } = found;
  return {
    ...view,
    token: dev.name,
    login: found.login ?? null,
    reviewer: found.reviewer ?? null,
    labels_missing: labelsMissing,
    problems,
    advice,
  };
}

function forgeBehind(remote: string): ForgeConfig | undefined {
  const parsed = parseRemoteUrl(remote);
  if (parsed === undefined) return undefined;
  const [owner = "", repo = ""] = parsed.repo.split("/");
  const kind = parsed.host === "github.com" ? "github" : "gitea";
  return { kind, url: parsed.url, owner, repo };
}
