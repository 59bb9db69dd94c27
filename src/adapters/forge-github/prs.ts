// Pull requests on GitHub: one open PR per branch, and its end. GitHub sees by itself that a PR's
// head has come onto its target, so that a landing by push (strategy "merge") ends as merged; of a
// rebased or squashed one it cannot know, and people are told in words.
import { OperationError } from "../../lib/operation-error.ts";
import type { Forge, Pr } from "../../ports/forge.ts";
import { addComment } from "../shared/forge/comments.ts";
import type { Connection } from "../shared/forge/connection.ts";
import * as shared from "../shared/forge/prs.ts";
import type { RawPr } from "../shared/forge/shapes.ts";

/** Just pushed, a branch may not be known yet: GitHub refuses its PR for a moment. */
const OPEN_ATTEMPTS = 4;

export const listPrs = (connection: Connection, state: "open" | "all"): Promise<Pr[]> =>
  shared.listPrs(connection, { state, sort: "created", direction: "asc", per_page: 100 });

export const opening: shared.Opening = { find: openPrOf, make: makePr };

async function openPrOf(
  connection: Connection,
  { branch, target }: shared.WantedPr,
): Promise<RawPr | undefined> {
  const query = { state: "open" as const, head: `${connection.owner}:${branch}`, base: target };
  return (await shared.rawPrs(connection, query)).find((raw) => shared.isBranchHere(raw, branch));
}

async function makePr(connection: Connection, input: shared.WantedPr): Promise<RawPr> {
  const { branch, target } = input;
  let said = "";
  for (let attempt = 0; attempt < OPEN_ATTEMPTS; attempt += 1) {
    const answer = await shared.openPr(connection, input, [422]);
    if (answer.kind === "ok") return answer.body;
    // "A pull request already exists": ours, of a call whose answer was lost.
    const open = await openPrOf(connection, input);
    if (open !== undefined) return open;
    said = answer.text;
    await connection.wait(connection.dialect.follow.waitMs);
  }
  throw new OperationError(`cannot open a PR for ${branch}: ${reasonIn(said)}`, {
    code: "pr-refused",
    hint: `is ${branch} pushed, and does it have commits that ${target} does not have?`,
  });
}

/** GitHub says what is wrong in its list of errors, not in its message. */
function reasonIn(text: string): string {
  const found = [...text.matchAll(/"message"\s*:\s*"((?:[^"\\]|\\.)*)"/g)];
  const reasons = found.map((match) => match[1] ?? "").filter((one) => one !== "Validation Failed");
  return reasons.length === 0 ? "GitHub refused it" : reasons.join("; ").slice(0, 300);
}

export async function finishPr(
  connection: Connection,
  number: number,
  end: Parameters<Forge["finishPr"]>[1],
): Promise<void> {
  const pr = await shared.existingPr(connection, number);
  if (pr.merged) return;
  if (end.state === "closed") {
    if (pr.state === "open") await close(connection, number);
    return;
  }
  if (await shared.isSeenMerged(connection, number)) return;
  const body = `Landed as ${end.mergedAs}. (GitHub shows a PR as merged only if its own commits are on the target: [merge] strategy = "merge".)`;
  await addComment(connection, { issue: number, body, key: `landed ${end.mergedAs}` });
  if (pr.state === "open") await close(connection, number);
}

/** Refused where it was merged this moment. */
const close = (connection: Connection, number: number): Promise<void> =>
  shared.setPrState(connection, number, { state: "closed", accept: [422] });
