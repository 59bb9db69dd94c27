// Pawl itself never breaks: a failure outside is an OperationError, and every other error is a bug.
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
