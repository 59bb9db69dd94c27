// Takes secrets out of every answer of the API: an agent may have written one anywhere.
import type { Hono } from "hono";
import { redactText } from "../../core/redact.ts";
import type { Routes } from "./context.ts";

export function addRedaction(app: Hono, routes: Pick<Routes, "ports">): void {
  app.use("*", async (context, next) => {
    await next();
    // Numbers and ids only, and it does not end.
    if (context.res.headers.get("content-type") === "text/event-stream") return;
    const text = await context.res.clone().text();
    const clean = redactText(text, (part) => routes.ports.redact(part));
    if (clean === text) return;
    const { status } = context.res;
    context.res = new Response(clean, { status, headers: { "content-type": "application/json" } });
  });
}
