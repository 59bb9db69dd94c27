// What is looked at before a project is set up on a forge, and is the same on all: whose the tokens
// are, and which labels are missing. Reads only.
import { LABELS } from "../../../core/issue.ts";
import { describeError } from "../../../lib/operation-error.ts";
import type { ForgeInspection } from "../../../ports/forge-inspection.ts";
import type { Connection } from "./connection.ts";

/** The labels an issue's life needs; the others are made when they are used. */
export const NEEDED_LABELS = [LABELS.backlog, LABELS.inProgress, LABELS.blocked, LABELS.priority];

type Look = (found: ForgeInspection) => Promise<void>;

/** One check after the other: a problem of one is noted, and the next check follows. */
export async function inspect(connection: Connection, looks: Look[]): Promise<ForgeInspection> {
  const found: ForgeInspection = {
    login: undefined,
    reviewer: undefined,
    labelsMissing: [],
    merges: undefined,
    problems: [],
    advice: [],
  };
  await noting(found, () => lookAtAccounts(connection, found));
  // Without an account there is nothing more to ask.
  if (found.login === undefined) return found;
  for (const look of looks) await noting(found, () => look(found));
  return found;
}

async function noting(found: ForgeInspection, look: () => Promise<void>): Promise<void> {
  try {
    await look();
  } catch (error) {
    const { message, hint } = describeError(error);
    found.problems.push(hint === undefined ? message : `${message} (${hint})`);
  }
}

async function lookAtAccounts(connection: Connection, found: ForgeInspection): Promise<void> {
  found.login = await connection.login("dev");
  if (!connection.hasReviewer) {
    found.advice.push(
      "there is no second account for reviews: they will be comments; set FORGE_REVIEW_TOKEN to a token of another account to have formal ones",
    );
    return;
  }
  found.reviewer = await connection.login("review");
  if (found.reviewer === found.login) {
    found.problems.push(
      `FORGE_TOKEN and FORGE_REVIEW_TOKEN both belong to ${found.login}: the forge does not let an account approve its own PR; use a token of another account`,
    );
  }
}
