// Effects of the merge queue: build the result in the hub, check exactly that, land exactly that.
import { check } from "./workspace-effects.ts";
import type { Executors } from "./executor.ts";

export const queueEffects: Executors<
  "build-candidate" | "check-candidate" | "check-target" | "land"
> = {
  "build-candidate": async (effect, { own, now }) => {
    const { ref, heads, strategy } = effect;
    const onto = await own.git.fetchTarget();
    const candidate = await own.git.buildCandidate({ onto, heads, strategy, ref });
    if (candidate.kind === "conflict") {
      return { kind: "candidate-conflicted", at: now(), ref, onto, files: candidate.files };
    }
    const { commit, tree } = candidate;
    if (commit !== onto) return { kind: "candidate-built", at: now(), ref, onto, commit, tree };
    const head = heads.at(-1)?.head;
    const landed = head !== undefined && (await own.git.contains({ target: onto, head }));
    return { kind: "candidate-empty", at: now(), ref, onto, landed };
  },

  "check-candidate": async (effect, context) => {
    const { ref, commit, tree, ci } = effect;
    const outcome = await check(context, { commit, tree, ci, key: context.key });
    return { kind: "candidate-checked", at: context.now(), ref, outcome };
  },

  "check-target": async (effect, context) => {
    const { ref, target, ci } = effect;
    const tree = await context.own.git.treeOf(target);
    const outcome = await check(context, { commit: target, tree, ci, key: context.key });
    return { kind: "target-checked", at: context.now(), ref, target, outcome };
  },

  land: async (effect, { own, now }) => {
    const { ref, candidate, expected } = effect;
    const outcome = await own.git.land({ candidate, expected });
    await own.git.releaseCandidate(ref);
    return { kind: "landing-finished", at: now(), ref, outcome };
  },
};
