// Whether an operator answered an escalation on the forge: a comment on the issue or its PR, by an
// account that was asked (core/operators.ts), after Pawl's own question there. Everybody else's is no answer.
import { runAggregate } from "../../core/ids.ts";
import { askedOnForge } from "../../core/operators.ts";
import { askedOn, type Run } from "../../core/run/run.ts";
import { parseVerdicts } from "../../core/vault/verdict.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Comment, Forge } from "../../ports/forge.ts";
import type { Loop } from "../engine/loop.ts";

type Said = Comment & { on: number };

export async function observeAnswers(
  deps: { loop: Loop; clock: Clock },
  run: Run,
  forge: Forge,
): Promise<boolean> {
  const after = questionOf(run);
  const operators = askedOnForge(run.config.forge);
  if (after === undefined || operators.length === 0) return false;
  const all = await commentsOn(forge, [askedOn(run), run.pr]);
  // A comment about the vault answers no question.
  const said = all.filter(({ body }) => parseVerdicts(body).length === 0);
  const first = said.find(
    ({ id, author, own }) =>
      Number(id) > after.comment && own !== true && isNamed(author, operators),
  );
  if (first === undefined) return false;
  const { id, on, author: by, body: text } = first;
  const at = deps.clock.now();
  const reply = { at, by, text, since: after.since, comment: { id, on } };
  const event = { kind: "escalation-answered", ...reply } as const;
  return deps.loop.submit({ to: runAggregate(run.project, run.id), event });
}

/** The comment that what is said must come after; undefined where nothing was asked there (yet). */
function questionOf({ stage }: Run): { comment: number; since: number } | undefined {
  if (stage.kind !== "escalated" || stage.escalation.posted === undefined) return undefined;
  const { since, read, posted } = stage.escalation;
  return { comment: Number(read ?? posted), since };
}

async function commentsOn(forge: Forge, numbers: (number | undefined)[]): Promise<Said[]> {
  const all: Said[] = [];
  for (const on of numbers) {
    if (on === undefined) continue;
    all.push(...(await forge.comments(on)).map((comment) => ({ ...comment, on })));
  }
  return all.toSorted((a, b) => Number(a.id) - Number(b.id));
}

/** Accounts are the same in any case, on every forge. */
const isNamed = (author: string, operators: string[]): boolean =>
  operators.some((login) => login.toLowerCase() === author.toLowerCase());
