// Looks at the PRs that people made on a forge, where the review role is on: those that are green and
// not yet reviewed at their head are given to it. PRs of Pawl's runs ask by themselves.
import { reviewsAggregate } from "../../core/ids.ts";
import type { Project } from "../../core/project/project.ts";
import { isCandidate, isGreen } from "../../core/review/candidate.ts";
import type { PrReview } from "../../core/review/reviews.ts";
import type { Pr } from "../../ports/forge.ts";
import type { ProjectObserveDeps } from "./observe-project.ts";
import type { ProjectPorts } from "../engine/ports.ts";

type Deps = Pick<ProjectObserveDeps, "store" | "loop" | "clock">;
type Forge = Pick<ProjectPorts["forge"], "prs" | "reviews" | "statuses">;

export async function observePrs(deps: Deps, project: Project, forge: Forge): Promise<void> {
  const { config, name } = project;
  const role = config?.review.role;
  // On the built-in tracker only Pawl makes PRs.
  if (config?.forge === undefined || role === undefined) return;
  const to = reviewsAggregate(name);
  const stored = (await deps.store.load(to))?.state;
  const known = stored?.kind === "reviews" ? stored.prs : [];
  const open = await forge.prs({ state: "open" });
  for (const { pr } of known.filter((one) => isGone(one, open))) {
    const event = {
      kind: "review-unwanted",
      at: deps.clock.now(),
      pr,
      over: true,
      gone: true,
    } as const;
    await deps.loop.submit({ to, event });
  }
  for (const one of open) {
    const { number: pr, head, branch, title, issue, target } = one;
    if (!isCandidate(one, config.target) || isKnown(known, one)) continue;
    if (!(await isWaiting(one, forge))) continue;
    const wanted = { pr, head, branch, title, issue, run: undefined, target, role };
    await deps.loop.submit({
      to,
      event: { kind: "review-wanted", at: deps.clock.now(), wanted },
    });
  }
}

const isKnown = (known: PrReview[], { number, head }: Pr): boolean =>
  known.some((one) => one.pr === number && one.head === head);

const isGone = ({ pr, run }: PrReview, open: Pr[]): boolean =>
  run === undefined && !open.some(({ number }) => number === pr);

/** Green, and without a review of this head. */
async function isWaiting({ number, head }: Pr, forge: Forge): Promise<boolean> {
  if (!isGreen(await forge.statuses(head))) return false;
  const reviews = await forge.reviews(number);
  return !reviews.some((review) => review.head === head && !review.dismissed);
}
