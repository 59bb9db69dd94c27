import { Hono } from "hono";
import { expect, test } from "vitest";
import { addAnswerCheck } from "./check-answers.ts";

const ask = async (path: string, answer: unknown, status = 200) => {
  const app = new Hono();
  addAnswerCheck(app);
  app.get(path, (context) => context.json(answer as object, status as 200));
  const response = await app.request(path);
  return { status: response.status, body: await response.json() };
};

test("an answer that does not match its schema is an error that names the field", async () => {
  const { status, body } = await ask("/v1/signals", [{ seq: "one" }]);
  expect(status).toBe(500);
  expect(body).toMatchObject({ error: { code: "bad-answer" } });
  expect(JSON.stringify(body)).toContain("seq");
});

test("an answer that matches, one without a schema and an error are passed on", async () => {
  expect(await ask("/v1/signals", [])).toEqual({ status: 200, body: [] });
  expect(await ask("/v1/ping", { any: 1 })).toEqual({ status: 200, body: { any: 1 } });
  expect(await ask("/v1/signals", { error: 1 }, 404)).toMatchObject({ status: 404 });
});
