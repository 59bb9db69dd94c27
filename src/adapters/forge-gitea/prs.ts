// Pull requests of a Gitea repository: one open PR per branch, its end, and what Gitea has to be
// told about it. Gitea sees by itself that a PR's commits are on the target only where "autodetect
// manual merge" is on; otherwise it is told, which needs "allow manual merge".
import type { Commit } from "../../core/ids.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge, Pr } from "../../ports/forge.ts";
import { addComment } from "../shared/forge/comments.ts";
import type { Connection } from "../shared/forge/connection.ts";
import { mergeBody } from "./merging.ts";
import * as shared from "../shared/forge/prs.ts";
import { anything, type RawPr } from "../shared/forge/shapes.ts";
import { speakerOf } from "./connection.ts";

export const listPrs = (connection: Connection, state: "open" | "all"): Promise<Pr[]> =>
  shared.listPrs(connection, { state, ...connection.dialect.page });

export const opening: shared.Opening = { find: openPrOf, make: makePr };

async function openPrOf(
  connection: Connection,
  { branch, target }: shared.WantedPr,
): Promise<RawPr | undefined> {
  const all = await shared.rawPrs(connection, { state: "open", ...connection.dialect.page });
  return all.find((raw) => shared.isBranchHere(raw, branch) && raw.base.ref === target);
}

async function makePr(connection: Connection, input: shared.WantedPr): Promise<RawPr> {
  const { branch } = input;
  const answer = await shared.openPr(connection, input, [409]);
  if (answer.kind === "ok") return answer.body;
  const open = await openPrOf(connection, input);
  if (open !== undefined) return open;
  throw new OperationError(`cannot open a PR for ${branch}: the forge says there is one`, {
    code: "pr-hidden",
    hint: `look for a PR of ${branch} on the forge and close it`,
    retryable: true,
  });
}

export async function finishPr(
  connection: Connection,
  number: number,
  end: Parameters<Forge["finishPr"]>[1],
): Promise<void> {
  const pr = await shared.existingPr(connection, number);
  if (pr.merged) return;
  if (end.state === "merged") await recordMerge(connection, pr, end.mergedAs);
  else if (pr.state === "open") await setState(connection, pr, "closed");
}

async function recordMerge(connection: Connection, pr: RawPr, commit: Commit): Promise<void> {
  if (pr.state === "closed") await setState(connection, pr, "open");
  const told = await connection.change({
    what: `record that PR #${pr.number} is merged`,
    method: "POST",
    path: connection.at(`/pulls/${pr.number}/merge`),
    body: mergeBody("manually-merged", commit),
    schema: anything,
    accept: [404, 405, 409],
  });
  if (told.kind === "ok") return;
  if (await shared.isSeenMerged(connection, pr.number)) return;
  // The repository allows neither: people are told in words, and the PR is not left open.
  const body = `Landed as ${commit}. (This repository allows no manual merge, so Pawl can only close this PR; see "Manual merge" in Pawl's page on Gitea.)`;
  const as = await speakerOf(connection, "pawl");
  await addComment(connection, { issue: pr.number, body, key: `landed ${commit}`, as });
  await setState(connection, pr, "closed");
}

/** Its branch may be gone, or it was merged this moment. */
const setState = (connection: Connection, pr: RawPr, state: "open" | "closed"): Promise<void> =>
  shared.setPrState(connection, pr.number, { state, accept: [404, 409, 412, 422] });
