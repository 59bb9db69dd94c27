// Checks the daemon's own answers by their schemas: a view that no longer fits what programs were
// promised is an error at once, not a surprise in a client. For tests and development; costs a parse
// of every answer.
import type { Hono } from "hono";
import { z } from "zod";

export function addAnswerCheck(app: Hono): void {
  app.use("*", async (context, next) => {
    await next();
    const { res, req } = context;
    if (req.method !== "GET" || res.status !== 200) return;
    const { answerTo } = await import("../../api/answers.ts");
    const checked = answerTo(req.path)?.safeParse(await res.clone().json());
    if (checked === undefined || checked.success) return;
    const message = `the answer to GET ${req.path} does not match its schema: ${z.prettifyError(checked.error)}`;
    context.res = Response.json({ error: { code: "bad-answer", message } }, { status: 500 });
  });
}
