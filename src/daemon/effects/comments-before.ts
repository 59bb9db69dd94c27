// The comments on an issue from before the run began, without Pawl's own: those tell an agent
// nothing new. Reads only.
import type { Forge } from "../../ports/forge.ts";
import { ownAccounts } from "../observing/own-accounts.ts";

const COMMENTS_MAX = 20;
const COMMENT_MAX = 4000;

export async function commentsBefore(
  forge: Forge,
  issue: number,
): Promise<{ author: string; body: string }[]> {
  const accounts = await ownAccounts(forge);
  const said = (await forge.comments(issue)).filter(({ author }) => !accounts.has(author));
  return said
    .slice(-COMMENTS_MAX)
    .map(({ author, body }) => ({ author, body: body.slice(0, COMMENT_MAX) }));
}
