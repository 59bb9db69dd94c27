// Bugs in what is said about a landing, planted one at a time.
import type { Mutant } from "./mutant-list.ts";

export const LANDING_MUTANTS: Mutant[] = [
  {
    name: "every entry of a batch is said to be its last commit",
    proves: "an entry is told which commit it became",
    by: ["landed-as"],
    file: "src/core/merge-queue/landing.ts",
    from: "commit: tips[index] ?? commit",
    to: "commit: tips.at(-1) ?? commit, index",
  },
  {
    name: "what a program resolved counts as tested",
    proves: "a resolved candidate passes every gate before it lands",
    by: ["proven-target", "expected-checks"],
    file: "src/core/merge-queue/candidate.ts",
    from: "test: undefined, verdict: undefined }];",
    to: `test: undefined, verdict: event.resolved?.some((one) => one.index === index) === true ? { kind: "green" } : undefined }];`,
  },
  {
    name: "marks of a conflict are not looked for",
    proves: "what the resolver leaves marks in does not land",
    by: ["resolved"],
    file: "src/core/merge-queue/resolver.ts",
    from: "return MARK.test(text) || isMiddle;",
    to: "return text.length < 0 && isMiddle;",
  },
];
