import { Hono } from "hono";
import { expect, test } from "vitest";
import { describeError } from "../../lib/operation-error.ts";
import { NEXT_HEADER, page } from "./paging.ts";

const app = new Hono();
app.get("/list", (context) => page(context, ["a", "b", "c", "d", "e"], (row) => row));
app.onError((error, context) => context.json(describeError(error), 400));

const ask = async (query: string) => {
  const response = await app.request(`/list${query}`);
  return { body: await response.json(), next: response.headers.get(NEXT_HEADER) };
};

test("a list without a limit is given whole", async () => {
  expect(await ask("")).toEqual({ body: ["a", "b", "c", "d", "e"], next: null });
});

test("pages follow each other until none is left", async () => {
  expect(await ask("?limit=2")).toEqual({ body: ["a", "b"], next: "b" });
  expect(await ask("?limit=2&after=b")).toEqual({ body: ["c", "d"], next: "d" });
  expect(await ask("?limit=2&after=d")).toEqual({ body: ["e"], next: null });
  expect(await ask("?after=e")).toEqual({ body: [], next: null });
});

test("a row that is not in the list cannot be continued after", async () => {
  expect((await ask("?after=z")).body).toMatchObject({ code: "usage" });
});
