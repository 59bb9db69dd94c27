// Whatever the world does, Pawl itself does not break: what goes wrong outside is an
// OperationError, and anything else is a bug.
import { OperationError } from "../../src/lib/operation-error.ts";
import type { World } from "../world.ts";
import type { Checker } from "./checker.ts";

export function errors(world: World): Checker {
  const name = "errors";
  return {
    name,
    hear(fact) {
      if (fact.kind !== "effect-refused" || fact.error instanceof OperationError) return;
      const text =
        fact.error instanceof Error ? (fact.error.stack ?? fact.error.message) : String(fact.error);
      world.fail(name, `${fact.about}: ${text}`);
    },
  };
}
