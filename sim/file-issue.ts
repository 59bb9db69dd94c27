// An issue as people file it on a simulated forge: some depend on another, some are urgent, some are
// actions, some come from a stranger.
import { LABELS } from "../src/core/issue.ts";
import { FORGE_OWNER, STRANGER } from "./config.ts";
import { hasStrangers } from "./options.ts";
import type { SimProject, World } from "./world.ts";

/** What every issue says, so that it is known again where it is shown. */
export const WISH = "Do it.";

export function fileIssue(world: World, { forge }: SimProject, count: number): void {
  const { people } = world.prng;
  const earlier = [...forge.issueByNumber.keys()];
  const after = earlier.length > 0 && people.chance(0.2) ? people.pick(earlier) : undefined;
  const labels: string[] = [LABELS.backlog];
  if (people.chance(0.1)) labels.push(LABELS.priority);
  const isAction = world.options.actions === true && people.chance(0.3);
  const front = isAction && people.chance(0.5) ? "---\nformula: chore\n---\n" : "";
  const rest = after === undefined ? WISH : `${WISH}\n\n## Depends on\n#${after}\n`;
  forge.createIssue({
    title: `Task ${count}`,
    body: `${front}${rest}`,
    labels: isAction ? [LABELS.action] : labels,
    key: `filed ${count}`,
    author: hasStrangers(world.options) && people.chance(0.3) ? STRANGER : FORGE_OWNER,
  });
}
