// What the front matter of an issue asks of its agent: `agent:` and `model:`. Whether it counts is
// decided by the core. The lines are read without a YAML parser: `pawl status` must not wait for one.
import type { Wish } from "../../core/agent-choice.ts";
import type { Issue } from "../../core/issue.ts";
import { frontMatterOf } from "../../lib/front-matter.ts";

const LINE = /^(agent|model)[ \t]*:[ \t]*(["']?)([A-Za-z0-9][\w./:@-]{0,99})\2[ \t]*(?:#.*)?$/;

export function agentWish({ body, author }: Pick<Issue, "body" | "author">): Wish | undefined {
  const text = frontMatterOf(body)?.text;
  if (text === undefined) return undefined;
  const wish: Wish = { author };
  for (const line of text.split(/\r?\n/)) {
    const [, key, , value] = LINE.exec(line) ?? [];
    if (value === undefined) continue;
    if (key === "agent") wish.agent = value;
    else wish.model = value;
  }
  return wish.agent === undefined && wish.model === undefined ? undefined : wish;
}
