// Refuses calls of a session that belong to no command which a session may run.
import type { Hono } from "hono";
import { mayCall, refusedCall, SESSION_HEADER } from "../../api/session-rights.ts";

export function addSessionGuard(app: Hono): void {
  app.use("*", async (context, next) => {
    const session = context.req.header(SESSION_HEADER);
    const { method, path } = context.req;
    if (session === undefined || mayCall(method, path)) return next();
    return context.json({ error: refusedCall({ method, path, session }) }, 403);
  });
}
