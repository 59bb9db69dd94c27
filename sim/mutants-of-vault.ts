// Bugs planted in the vault: each would fire something unapproved, or twice.
import type { Mutant } from "./mutant-list.ts";

const CORE = "src/core/vault";
const EFFECTS = "src/daemon/effects/vault-effects.ts";

export const VAULT_MUTANTS: Mutant[] = [
  {
    name: "a vault item that was begun is begun again",
    proves: "(g) at most once per approval, also after a kill",
    by: ["vault"],
    file: EFFECTS,
    from: `    if (before.begun && action.kind !== "forge") {`,
    to: `    if (before.begun && action.kind === "forge") {`,
  },
  {
    name: "an approval is good for any payload",
    proves: "(g) only with an approval of that payload",
    by: ["vault"],
    file: `${CORE}/step-vault.ts`,
    from: `  if (hash !== item.hash) {`,
    to: `  if (hash === "") {`,
    also: {
      file: EFFECTS,
      from: `    if (sha256(canonicalJson(action)) !== hash || before.approval.hash !== hash) {`,
      to: `    if (sha256(canonicalJson(action)) !== hash) {`,
    },
  },
  {
    name: "what may have happened is tried again",
    proves: "(g) only what is provably unsent is fired again",
    by: ["vault"],
    file: `${CORE}/firing.ts`,
    from: `      return unsure(item, { attempt: stage.attempt, why: outcome.why }, context);`,
    to: `      return rest(item, { ...stage, why: outcome.why }, context);`,
  },
  {
    name: "the last request under an id counts",
    proves: "(g) the payload that was approved is the one that fires",
    by: ["vault"],
    file: `${CORE}/step-vault.ts`,
    from: `  if (before?.request !== undefined) {`,
    to: `  if (before?.request !== undefined && before.stage.kind !== "waiting") {`,
  },
  {
    name: "a person's word ends an item that is not in doubt",
    proves: "(g) what counts as carried out was, or a person who was asked said so",
    by: ["vault"],
    file: `${CORE}/step-vault.ts`,
    from: `  if (item.stage.kind !== "unsure") return item;`,
    to: `  if (item.stage.kind === "expected") return item;`,
  },
  {
    name: "an undecided vault item waits for ever",
    proves: "every wait has a deadline: the vault",
    by: ["vault", "liveness"],
    file: `${CORE}/item.ts`,
    from: `    case "waiting":
    case "unsure":
      return stage.deadline;`,
    to: `    case "unsure":
      return stage.deadline;`,
  },
];
