// The forge behind a remote, looked at before a project is set up there; and made ready for it.
import type { Hono } from "hono";
import type { z } from "zod";
import { forgeLookInput, forgePrepareInput, type ForgeView } from "../../api/forges.ts";
import { parseRemoteUrl } from "../../config/remote-url.ts";
import type { ForgeConfig } from "../../core/config.ts";
import { noCrash } from "../../lib/crash-point.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { findTokens, inspectForge, type Tokens } from "../host/forges.ts";
import { createSecrets, type Secrets } from "../host/secrets.ts";
import { bodyOf, type Routes } from "./context.ts";

export function addForges(app: Hono, routes: Routes): void {
  app.get("/v1/forges/look", async (request) => {
    const wanted = forgeLookInput.parse(request.req.query());
    return request.json(await look(routes, wanted, false));
  });
  /** Makes what is missing there: labels. Repeating it makes nothing twice. */
  app.post("/v1/forges/prepare", async (request) => {
    const wanted = await bodyOf(request, forgePrepareInput);
    return request.json(await look(routes, wanted, { showMerges: wanted.show_merges }));
  });
}

async function look(
  routes: Routes,
  wanted: z.output<typeof forgeLookInput>,
  prepare: false | { showMerges: boolean },
): Promise<ForgeView | null> {
  const { target } = wanted;
  const found = await forgeOf(wanted, createSecrets(routes.paths.home, process.env));
  if (found === undefined) return null;
  const { forge, tokens } = found;
  const { dev, review } = tokens;
  const view = { kind: forge.kind, url: forge.url, repo: `${forge.owner}/${forge.repo}` };
  const none = { login: null, reviewer: null, merges: null };
  const nothing = { ...none, labels_missing: [], problems: [], advice: [] };
  // Without a token no request is sent: the remote may belong to a stranger.
  if (dev instanceof OperationError) return { ...view, ...nothing, token: null };
  const now = (): number => routes.ports.clock.now();
  const own = { now, crash: noCrash, target, prepare };
  const seen = await inspectForge(forge, { token: dev, reviewToken: review }, own);
  const { labelsMissing, problems, advice } = seen;
  return {
    ...view,
    token: dev.name,
    login: seen.login ?? null,
    reviewer: seen.reviewer ?? null,
    labels_missing: labelsMissing,
    merges: seen.merges ?? null,
    problems,
    advice,
  };
}

/** The one that pawl.toml names, else the one behind the remote. */
async function forgeOf(
  { kind, url, repo: named, remote }: z.output<typeof forgeLookInput>,
  secrets: Secrets,
): Promise<{ forge: ForgeConfig; tokens: Tokens } | undefined> {
  if (kind === undefined || url === undefined) return forgeBehind(remote, secrets);
  const [owner = "", repo = ""] = (named ?? "").split("/");
  const forge: ForgeConfig = { kind, url, owner, repo };
  return { forge, tokens: await findTokens(forge, secrets) };
}

/** If the host name says nothing, the token shows which forge it is: GitHub's have a known form. */
async function forgeBehind(
  remote: string,
  secrets: Secrets,
): Promise<{ forge: ForgeConfig; tokens: Tokens } | undefined> {
  const parsed = parseRemoteUrl(remote);
  if (parsed === undefined) return undefined;
  const [owner = "", repo = ""] = parsed.repo.split("/");
  const at = { url: parsed.url, owner, repo };
  const asGithub: ForgeConfig = { kind: "github", ...at };
  const tokens = await findTokens(asGithub, secrets);
  const isGithub = parsed.host === "github.com" || isGithubToken(tokens.dev);
  if (isGithub) return { forge: asGithub, tokens };
  const forge: ForgeConfig = { kind: "gitea", ...at };
  return { forge, tokens: await findTokens(forge, secrets) };
}

const isGithubToken = (token: Tokens["dev"]): boolean =>
  !(token instanceof OperationError) && /^(?:gh[a-z]_|github_pat_)/.test(token.value);
