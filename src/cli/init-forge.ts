// What `pawl init` does about the forge behind the remote: inspects it, says what it found, and
// prepares it. Without a token no request is sent.
import type { ForgeView } from "../api/forges.ts";
import type { Draft } from "../config/detect.ts";
import type { RenderedForge } from "../config/render.ts";
import type { Deps } from "./deps.ts";

/** The forge that a pawl.toml names. */
export type NamedForge = { kind: "gitea" | "github"; url: string; owner: string; repo: string };

/** A read: a dry run leaves nothing behind, here or there. */
export async function lookAtForge(
  deps: Deps,
  draft: Draft,
  named?: NamedForge,
): Promise<ForgeView | undefined> {
  if (draft.remote === undefined && named === undefined) return undefined;
  const query = new URLSearchParams(wanted(draft, named));
  const path = `/v1/forges/look?${query.toString()}`;
  return (await deps.client.get<ForgeView | null>(path)) ?? undefined;
}

const wanted = ({ remote, target }: Draft, named: NamedForge | undefined) => ({
  remote: remote?.url ?? "",
  target,
  ...(named && { kind: named.kind, url: named.url, repo: `${named.owner}/${named.repo}` }),
});

export async function prepareForge(
  deps: Deps,
  draft: Draft,
  at: { view: ForgeView; named: NamedForge | undefined; showMerges: boolean },
): Promise<void> {
  const { view, named, showMerges } = at;
  const body = { ...wanted(draft, named), show_merges: showMerges };
  const after = await deps.client.post<ForgeView | null>("/v1/forges/prepare", body);
  const place = `${view.url}/${view.repo}`;
  deps.stderr(`labels are ready on ${place}\n`);
  if (showMerges && after?.merges === "shown") deps.stderr(`manual merge is on in ${place}\n`);
}

/** In sentences, for a person; what has to be done first. */
export function describeForge(view: ForgeView): string {
  const place = `${view.url}/${view.repo}`;
  if (view.token === null) {
    return `${place} looks like a forge: to work on its issues, set FORGE_TOKEN and see docs/forges (until then issues live in Pawl's journal)\n`;
  }
  const as = view.login === null ? "" : ` as ${view.login} (${view.token})`;
  const reviews = view.reviewer === null ? "" : `, reviews by ${view.reviewer}`;
  const missing =
    view.labels_missing.length === 0 ? [] : [`labels to create: ${view.labels_missing.join(", ")}`];
  return [
    `issues, PRs and reviews on ${place}${as}${reviews}`,
    ...view.problems.map((problem) => `  problem: ${problem}`),
    ...[...missing, ...view.advice].map((note) => `  note: ${note}`),
    "",
  ].join("\n");
}

export const renderedForge = (view: ForgeView): RenderedForge => ({
  kind: view.kind,
  url: view.url,
  repo: view.repo,
  /** Written as a comment until there is a token. */
  isReady: view.token !== null,
});
