// Which results of a CI server must be green: those that pawl.toml names, else those that the
// protection of the target requires. Where neither does, the first green result would let a branch
// land before the others have begun: such a configuration is refused, with the line to write.
import type { ServerCiConfig, WoodpeckerEvent } from "./config.ts";

/** How Woodpecker's contexts name the event: `ci/woodpecker/pr/test`. */
const EVENT_IN_CONTEXT = /^ci\/woodpecker\/(push|pr|pull_request)(?:\/|$)/;

/** What Pawl says itself is not what it waits for. */
export const isOwnContext = (context: string): boolean => /^pawl(?:\/|$)/.test(context);

/** The events of Woodpecker whose contexts a protection requires. */
export function eventsIn(contexts: readonly string[]): WoodpeckerEvent[] {
  const named = contexts.map((context) => EVENT_IN_CONTEXT.exec(context)?.[1]);
  const events = named.flatMap((name): WoodpeckerEvent[] => {
    if (name === undefined) return [];
    return [name === "push" ? "push" : "pull_request"];
  });
  return [...new Set(events)];
}

/** Whether pawl.toml leaves it to the protection of the target. */
export const asksProtection = (server: ServerCiConfig): boolean =>
  server.kind === "forge" ? server.contexts.length === 0 : (server.events ?? []).length === 0;

/**
 * What is wrong where nothing says which results are required; undefined where something does.
 * `seen`: contexts that were reported for the target, from which the line is made.
 */
export function missingRequirement(
  server: ServerCiConfig,
  facts: { target: string; protection: readonly string[]; seen: readonly string[] },
): string | undefined {
  const { target, protection, seen } = facts;
  if (!asksProtection(server)) return undefined;
  if (server.kind === "woodpecker") {
    if (eventsIn(protection).length > 0) return undefined;
    return `[ci] server = "woodpecker" does not say which pipelines must be green, and the protection of ${target} requires none. Write below [ci.woodpecker], with the events that your pipelines run for: events = ["push", "pull_request"]`;
  }
  if (protection.length > 0) return undefined;
  const names = seen.filter((context) => !isOwnContext(context)).toSorted();
  const line = `contexts = [${(names.length === 0 ? ["test"] : names).map((name) => JSON.stringify(name)).join(", ")}]`;
  const from =
    names.length === 0 ? "with the names that your CI reports" : `as reported for ${target}`;
  return `[ci] server = "forge" does not say which checks must be green, and the protection of ${target} requires none. Write below [ci], ${from}: ${line}`;
}
