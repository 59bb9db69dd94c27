import { expect, test } from "vitest";
import {
  isReversible,
  leastRisk,
  readVaultAction,
  secretsOf,
  typeOf,
  withSecrets,
} from "./vault-action.ts";

const webhook = (change: object = {}): unknown => ({
  kind: "webhook",
  endpoint: "https://example.org/hook",
  ...change,
});

test("actions are read with their defaults, and everything else is refused", () => {
  expect(readVaultAction(webhook())).toEqual({
    kind: "webhook",
    endpoint: "https://example.org/hook",
    method: "POST",
    headers: {},
    body: "",
  });
  expect(readVaultAction({ kind: "command", argv: ["deploy"] })).toMatchObject({
    env: {},
    input: "",
  });
  expect(readVaultAction({ kind: "forge", issue: 7, act: { kind: "close" } })).toBeDefined();
  expect(
    readVaultAction({ kind: "forge", issue: 7, act: { kind: "label", add: ["x"] } }),
  ).toBeDefined();
  expect(readVaultAction({ kind: "program", type: "blog-post", payload: "{}" })).toBeDefined();
  const wrong: unknown[] = [
    undefined,
    "webhook",
    { kind: "unknown" },
    webhook({ endpoint: "file:///etc/passwd" }),
    webhook({ endpoint: "https://a b" }),
    webhook({ method: "TRACE" }),
    webhook({ headers: { a: 1 } }),
    webhook({ body: "x".repeat(40_000) }),
    { kind: "command", argv: [] },
    { kind: "command", argv: [" "] },
    { kind: "forge", issue: 0, act: { kind: "close" } },
    { kind: "forge", issue: 7, act: { kind: "comment", body: "" } },
    { kind: "forge", issue: 7, act: { kind: "label" } },
    { kind: "forge", issue: 7, act: { kind: "merge" } },
    { kind: "program", type: "../escape" },
    { kind: "program", type: "ok", secrets: ["not a name"] },
  ];
  for (const value of wrong) expect(readVaultAction(value), JSON.stringify(value)).toBeUndefined();
});

test("a command names no secret where everybody could read it", () => {
  const named = "{{secret:TOKEN}}";
  expect(readVaultAction({ kind: "command", argv: ["curl", named] })).toBeUndefined();
  const allowed = readVaultAction({
    kind: "command",
    argv: ["curl"],
    env: { T: named },
    input: named,
  });
  expect(allowed === undefined ? [] : secretsOf(allowed)).toEqual(["TOKEN"]);
});

test("secrets are found once each, and put in wherever they are named", () => {
  const action = readVaultAction(
    webhook({
      endpoint: "https://e.org/{{secret:B}}",
      headers: { a: "{{secret:A}} {{secret:B}}" },
    }),
  );
  expect(action === undefined ? [] : secretsOf(action)).toEqual(["A", "B"]);
  expect(withSecrets("x {{secret:A}} {{secret:C}}", { A: "1" })).toBe("x 1 {{secret:C}}");
});

test("each kind has a least risk, and naming a secret is always high", () => {
  const risk = (value: unknown): string => {
    const action = readVaultAction(value);
    return action === undefined ? "none" : `${typeOf(action)} ${leastRisk(action)}`;
  };
  expect(risk(webhook())).toBe("webhook medium");
  expect(risk(webhook({ body: "{{secret:A}}" }))).toBe("webhook high");
  expect(risk({ kind: "command", argv: ["a"] })).toBe("command high");
  expect(risk({ kind: "program", type: "blog-post" })).toBe("blog-post high");
  expect(risk({ kind: "forge", issue: 1, act: { kind: "comment", body: "b" } })).toBe("forge low");
  expect(risk({ kind: "forge", issue: 1, act: { kind: "close" } })).toBe("forge medium");
});

test("only the forge's actions can be undone, unless the configuration says so", () => {
  const action = readVaultAction(webhook());
  if (action === undefined) throw new Error("not read");
  expect(isReversible(action, [])).toBe(false);
  expect(isReversible(action, ["webhook"])).toBe(true);
});
