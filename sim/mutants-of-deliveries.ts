// Bugs around messages to agents that confirm them, planted one at a time.
import type { Mutant } from "./mutant-list.ts";

export const DELIVERY_MUTANTS: Mutant[] = [
  {
    name: "a message that is being typed is also shown with another prompt",
    proves: "(e) shown at most once per epoch",
    by: ["messages"],
    file: "src/daemon/sessions/deliver.ts",
    from: `  if ((await world.sessionFiles.hold({ dir, id })) === "taken") return true;`,
    to: `  if ((await isTaken({ ...delivery, dir, id }, world)) === true) return true;`,
    also: {
      file: "src/daemon/sessions/deliver.ts",
      from: `(await sessionFiles.hold({ dir, id, isSent: true })) === "taken"`,
      to: `(await sessionFiles.read(dir)).acknowledged.includes(id)`,
    },
  },
  {
    name: "a message that is not read looks delivered",
    proves: "(e) acknowledged or visibly undelivered",
    by: ["messages"],
    file: "src/core/run/message.ts",
    from: `  (message.status === "queued" || message.status === "delivered") && now - message.at >= unreadMs;`,
    to: `  message.status === "queued" && now - message.at < unreadMs;`,
  },
];
