import { expect, test } from "vitest";
import { agentOf, severalAgents } from "../../test/support/agents.ts";
import { testConfig } from "../../test/support/config.ts";
import { accountOf, accountsOf, chooseAgent, optionsOf } from "./agent-choice.ts";

const docs = agentOf("second", { model: "small" });
const reviewer = agentOf("first", { account: "third" });
const config = severalAgents({
  rules: [
    { label: "docs", agent: docs },
    { role: "review", agent: reviewer },
  ],
});
const dev = (labels: string[]) => ({ role: "dev", labels }) as const;

test("the first rule that fits the label or the role is taken, else the project's own agent", () => {
  expect(chooseAgent(config, dev([])).first.runtime).toBe("first");
  expect(chooseAgent(config, dev(["bug", "docs"]))).toEqual({
    first: docs,
    why: "[[agent.for]] label docs",
  });
  const review = chooseAgent(config, { role: "review", labels: [] });
  expect([accountOf(review.first), review.why]).toEqual(["third", "[[agent.for]] role review"]);
});

test("an issue of a trusted author chooses agent and model", () => {
  const wish = { agent: "third", model: "large", author: "ann" };
  const { first, why } = chooseAgent(config, { ...dev(["docs"]), wish });
  expect([accountOf(first), first.model, why]).toEqual(["third", "large", "the issue asks for it"]);
  const model = chooseAgent(config, { ...dev(["docs"]), wish: { model: "m", author: "ann" } });
  expect([model.first.runtime, model.first.model]).toEqual(["second", "m"]);
});

test("a stranger's wish is ignored, and so is an agent that pawl.toml does not name; both are said", () => {
  const trust = { authors: ["ann"] };
  const wish = { agent: "second", author: "eve" };
  const strange = chooseAgent({ ...config, trust }, { ...dev([]), wish });
  expect(strange.first.runtime).toBe("first");
  expect(strange.ignored).toBe(
    "its front matter asks for agent: second, but eve may not instruct agents here ([trust] authors)",
  );
  const own = chooseAgent({ ...config, trust }, { ...dev([]), wish: { ...wish, own: true } });
  expect(own.first.runtime).toBe("second");
  const unknown = chooseAgent(config, { ...dev([]), wish: { agent: "else", author: "ann" } });
  expect(unknown.ignored).toContain("which pawl.toml does not name; it names first, second, third");
  const single = chooseAgent(testConfig(), { ...dev([]), wish: { agent: "x", author: "ann" } });
  expect(single.ignored).toContain("it names command");
});

test("the options are the chosen agent and the fallbacks of other accounts", () => {
  expect(optionsOf(config, config.agent).map(accountOf)).toEqual(["first", "second", "third"]);
  expect(optionsOf(config, docs).map(accountOf)).toEqual(["second", "third"]);
  expect(optionsOf(testConfig(), testConfig().agent)).toHaveLength(1);
});

test("the accounts of a project are all that it names", () => {
  expect([...accountsOf(config)]).toEqual(["first", "second", "third"]);
  expect([...accountsOf(testConfig())]).toEqual(["command"]);
});
