import { Hono } from "hono";
import { expect, test } from "vitest";
import { addRedaction } from "./redact-answers.ts";

const app = new Hono();
const redact = (text: string): string => text.replaceAll("hunter2hunter2", "[redacted]");
addRedaction(app, { ports: { redact } as never });
app.get("/json", (context) => {
  context.header("x-next", "7");
  return context.json({ said: 'a "quoted" hunter2hunter2' }, 201);
});
app.get("/text", (context) => context.text("hunter2hunter2"));
app.get("/made", () => Response.json({ said: "hunter2hunter2" }));
app.get("/throws", () => {
  throw new Error("with hunter2hunter2");
});
app.onError((error, context) => context.json({ error: error.message }, 500));
app.notFound((context) => context.json({ error: `no ${context.req.path}` }, 404));

test("JSON stays JSON without its secrets, and keeps its status and headers", async () => {
  const answer = await app.request("/json");
  expect(await answer.json()).toEqual({ said: 'a "quoted" [redacted]' });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("x-next")).toBe("7");
  expect(answer.headers.get("content-type")).toBe("application/json");
});

test.each(["/text", "/made", "/throws", "/hunter2hunter2"])(
  "no answer says a secret: %s",
  async (path) => {
    const said = await (await app.request(path)).text();
    expect(said).not.toContain("hunter2");
    expect(said).toContain("[redacted]");
  },
);
