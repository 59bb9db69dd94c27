import { expect, test } from "vitest";
import { agentWish } from "./agent-wish.ts";

const wish = (front: string) => agentWish({ body: `---\n${front}\n---\nDo it.`, author: "ann" });

test("an issue asks for an agent and a model in its front matter", () => {
  expect(wish('agent: codex\nmodel: "gpt-5.1"  # large')).toEqual({
    agent: "codex",
    model: "gpt-5.1",
    author: "ann",
  });
  expect(wish("model: opus")).toEqual({ model: "opus", author: "ann" });
});

test("other front matter, strange values and text without front matter ask for nothing", () => {
  expect(wish("formula: deploy")).toBeUndefined();
  expect(wish("agent: [a, b]\nmodel: $(rm -rf /)")).toBeUndefined();
  expect(wish("  agent: codex")).toBeUndefined();
  expect(agentWish({ body: "agent: codex", author: "ann" })).toBeUndefined();
});
