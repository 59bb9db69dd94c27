// `operator …`, `review …`, `queue …`, `issue …`: what people and the merge queue say to the
// current run. The queue has stories of its own; here it only speaks.
import { check } from "./outcomes.ts";
import type { Event } from "../../../src/core/event.ts";
import { commitId, runAggregate, type Commit } from "../../../src/core/ids.ts";
import type { Command } from "./transcript.ts";
import { currentRun, submit, type World } from "./world.ts";

const BY = "ada";

function tell(world: World, event: Event): void {
  const run = currentRun(world);
  submit(world, runAggregate(run.project, run.id), event);
}

export const people = {
  operator: (world: World, { words, line }: Command): void => {
    const at = world.now;
    const [, verb, text = ""] = words;
    if (verb === "stops") tell(world, { kind: "run-stopped", at, by: BY });
    else if (verb === "retries") tell(world, { kind: "run-retried", at, by: BY });
    else if (verb === "holds") tell(world, { kind: "run-held", at, by: BY });
    else if (verb === "releases") tell(world, { kind: "run-released", at, by: BY });
    else if (verb === "answers") tell(world, { kind: "escalation-answered", at, by: BY, text });
    else throw new Error(`an operator cannot do this: ${line}`);
  },

  /** `review approve`, `review changes "Name it better."`: of the current head, or `head=…`. */
  review: (world: World, { words, options }: Command): void => {
    const [, verdict, body = ""] = words;
    world.reviews += 1;
    const review = {
      id: `r${world.reviews}`,
      author: BY,
      head: head(world, options),
      verdict: verdict === "approve" ? ("approve" as const) : ("request-changes" as const),
      body,
      createdAt: world.now,
      dismissed: false,
    };
    tell(world, { kind: "reviews-observed", at: world.now, reviews: [review] });
  },

  /** `queue lands`, `queue returns conflict a.txt`, `queue returns red`. */
  queue: (world: World, { words, options, line }: Command): void => {
    const at = world.now;
    const [, verb, why, ...files] = words;
    if (verb === "lands") {
      tell(world, {
        kind: "entry-landed",
        at,
        commit: commitId("merged"),
        head: head(world, options),
      });
    } else if (verb === "returns") {
      const outcome = check("red");
      const reason =
        why === "red" && outcome.kind === "failed"
          ? ({ kind: "tests", outcome } as const)
          : ({ kind: "conflict", files } as const);
      tell(world, { kind: "entry-returned", at, head: head(world, options), reason });
    } else throw new Error(`the queue cannot do this: ${line}`);
  },

  issue: (world: World, { words }: Command): void => {
    const state = words[1] === "closed" ? "closed" : "open";
    const labels = state === "open" ? ["in-progress"] : [];
    tell(world, { kind: "issue-observed", at: world.now, state, labels });
  },
};

const head = (world: World, options: Record<string, string>): Commit =>
  commitId(options["head"] ?? currentRun(world).head ?? "none");
