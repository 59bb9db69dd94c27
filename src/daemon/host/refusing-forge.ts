// The forge of a project whose forge cannot be spoken to: every call says why, and nothing else of
// the project stands still for it.
import type { OperationError } from "../../lib/operation-error.ts";
import type { Forge } from "../../ports/forge.ts";

export function refusingForge(error: OperationError): Forge {
  const refuse = (): Promise<never> => Promise.reject(error);
  return {
    issues: refuse,
    issue: refuse,
    createIssue: refuse,
    editIssue: refuse,
    comments: refuse,
    comment: refuse,
    claim: refuse,
    claimOf: refuse,
    prs: refuse,
    pr: refuse,
    prsOf: refuse,
    ensurePr: refuse,
    finishPr: refuse,
    reviews: refuse,
    review: refuse,
    dismissReview: refuse,
    statuses: refuse,
    setStatus: refuse,
    account: refuse,
  };
}
