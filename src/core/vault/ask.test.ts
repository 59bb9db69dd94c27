import { expect, test } from "vitest";
import { readAsk } from "./ask.ts";

const action = { kind: "command", argv: ["deploy"] };
const ask = (change: object = {}): Record<string, unknown> => ({
  id: "v-1",
  what: " Deploy it ",
  action,
  ...change,
});

test("an ask is read with the least that it may claim", () => {
  expect(readAsk(ask())).toMatchObject({
    id: "v-1",
    what: "Deploy it",
    risk: "low",
    reversible: false,
  });
  expect(readAsk(ask({ risk: "high", reversible: true }))).toMatchObject({ risk: "high" });
});

test("an ask without an id, a sentence or an action that can be read is refused", () => {
  const wrong = [{ id: "" }, { id: "a/b" }, { what: " " }, { risk: "none" }, { reversible: 1 }];
  for (const change of [...wrong, { action: {} }, { what: "x".repeat(600) }]) {
    expect(readAsk(ask(change)), JSON.stringify(change)).toBeUndefined();
  }
});
