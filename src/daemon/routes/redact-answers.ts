// Takes secrets out of every answer of the API: an agent may have written one anywhere.
import type { Context, Hono } from "hono";
import { redactText } from "../../core/redact.ts";
import type { Routes } from "./context.ts";

export function addRedaction(app: Hono, routes: Pick<Routes, "ports">): void {
  const clean = (text: string): string => redactText(text, (part) => routes.ports.redact(part));
  app.use("*", async (context, next) => {
    const cleaned = cleanJson(context, clean);
    await next();
    if (cleaned.has(context.res)) return;
    // Numbers and ids only, and it does not end.
    if (context.res.headers.get("content-type") === "text/event-stream") return;
    const text = await context.res.clone().text();
    const said = clean(text);
    if (said === text) return;
    const { status } = context.res;
    context.res = new Response(said, { status, headers: { "content-type": "application/json" } });
  });
}

/**
 * Cleans JSON while it is still text: to read it from a finished answer copies it several times, which
 * a status of hundreds of runs pays for ten times a second. Gives the answers that are clean.
 */
function cleanJson(context: Context, clean: (text: string) => string): WeakSet<Response> {
  const cleaned = new WeakSet<Response>();
  const answer = context.body as Answer;
  const json = (object: unknown, init?: Init, headers?: Headers): Response => {
    const type = { "content-type": "application/json" };
    // As bytes: Node would join a text with its headers to another text of the same length first.
    const bytes = Buffer.from(clean(JSON.stringify(object)));
    const response = answer(bytes, init, { ...type, ...headers });
    cleaned.add(response);
    return response;
  };
  context.json = json as Context["json"];
  return cleaned;
}

/** A status, or one with headers. */
type Init = number | ResponseInit;
type Headers = Record<string, string | string[]>;
/** What its overloads have in common. */
type Answer = (data: Uint8Array, init?: Init, headers?: Headers) => Response;
