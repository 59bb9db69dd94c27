// Whether an answer is what programs were promised: one that no longer fits is an error at once, not a
// surprise in a script.
import { z } from "zod";
import { answerTo } from "../api/answers.ts";
import { OperationError } from "../lib/operation-error.ts";

export function checkAnswer(call: { method: string; path: string }, body: unknown): void {
  const { method } = call;
  const { pathname } = new URL(call.path, "http://pawl");
  const checked = answerTo(method, pathname)?.safeParse(body);
  if (checked === undefined || checked.success) return;
  const why = z.prettifyError(checked.error);
  throw new OperationError(
    `the answer to ${method} ${pathname} does not match its schema: ${why}`,
    { code: "bad-answer" },
  );
}
