import { expect, test } from "vitest";
import { chooseConfig, configError } from "./load.ts";

const config = (name: string) => `
[project]
name = "${name}"
target = "main"
[agent]
runtime = "script"
[ci]
none = true
`;

test("the target's configuration wins over the checkout's", () => {
  const chosen = chooseConfig({ atTarget: config("ours"), inCheckout: config("theirs") });
  expect(chosen).toMatchObject({ kind: "valid", from: "target", config: { name: "ours" } });
});

test("a target without a configuration takes the checkout's", () => {
  const chosen = chooseConfig({ atTarget: undefined, inCheckout: config("theirs") });
  expect(chosen).toMatchObject({ kind: "valid", from: "checkout", config: { name: "theirs" } });
});

test("a broken configuration at the target is not replaced by the checkout's", () => {
  const chosen = chooseConfig({ atTarget: "[ci]", inCheckout: config("theirs") });
  expect(chosen).toMatchObject({ kind: "invalid", from: "target" });
});

test("no configuration at all is said, with the command that writes one", () => {
  const chosen = chooseConfig({ atTarget: undefined, inCheckout: undefined });
  expect(chosen).toEqual({ kind: "missing" });
  expect(configError({ kind: "missing" })).toMatchObject({
    code: "config-missing",
    hint: "write one with `pawl init`",
  });
});

test("the error of a broken configuration lists its problems", () => {
  const chosen = chooseConfig({ atTarget: config("Big Name"), inCheckout: undefined });
  if (chosen.kind !== "invalid") throw new Error("it was accepted");
  expect(configError(chosen).message).toMatchInlineSnapshot(`
    "cannot use pawl.toml on the target:
    pawl.toml:3: project.name is "Big Name". Use a–z, 0–9 and "-", at most 40 characters, e.g. "my-app"."
  `);
});
