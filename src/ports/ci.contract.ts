// What every CI behind the port must do, as tests: the simulator's fake and the built-in one run the
// same suite, so that the fake stays honest. What a test needs from outside comes from `open`.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CheckOutcome, CiGate } from "../core/check.ts";
import type { Commit, Tree } from "../core/ids.ts";
import type { CheckRequest, Ci } from "./ci.ts";

export type CiUnderTest = {
  ci: Ci;
  /** A new tree that the gates find green, or red; another one each time. */
  tree(kind: "green" | "red"): Promise<{ commit: Commit; tree: Tree }>;
  /** The first of them judges, the second always passes. */
  gates: [CiGate, CiGate];
  /** Lets time pass until this is settled. */
  finish<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export function ciContract(name: string, open: () => Promise<CiUnderTest>): void {
  describe(`${name} keeps its contract`, () => {
    let under: CiUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());
    verdictTests(() => under);
    memoryTests(() => under);
    abortTests(() => under);
  });
}

type Use = () => CiUnderTest;
type Of = { commit: Commit; tree: Tree };

const request = (use: Use, of: Of, more?: Partial<CheckRequest>): CheckRequest => ({
  key: "run/demo/1.1/ci",
  ...of,
  gates: use().gates,
  setup: undefined,
  keep: [],
  history: false,
  tries: 2,
  signal: new AbortController().signal,
  ...more,
});

const check = (use: Use, of: Of, more?: Partial<CheckRequest>): Promise<CheckOutcome> =>
  use().finish(use().ci.check(request(use, of, more)));

function verdictTests(use: Use): void {
  test("a green tree passes, with the result of every gate in order", async () => {
    const green = await use().tree("green");
    const outcome = await check(use, green);
    expect(outcome).toMatchObject({ kind: "passed", tree: green.tree, remembered: false });
    const results = outcome.kind === "infra" ? [] : outcome.results;
    expect(results.map(({ gate, passed, exitCode }) => [gate, passed, exitCode])).toEqual(
      use().gates.map((gate) => [gate.name, true, 0]),
    );
  });

  test("a red tree fails at its first red gate, which says how", async () => {
    const red = await use().tree("red");
    const outcome = await check(use, red);
    expect(outcome).toMatchObject({ kind: "failed", tree: red.tree, remembered: false });
    const results = outcome.kind === "infra" ? [] : outcome.results;
    expect(results).toHaveLength(1);
    expect(results[0]).toMatchObject({ gate: use().gates[0].name, passed: false, exitCode: 1 });
    expect(results[0]?.logTail).not.toBe("");
  });

  test("with one try a failure is told at once, and is certain only when it comes again", async () => {
    const red = await use().tree("red");
    for (const remembered of [false, false, true]) {
      const outcome = await check(use, red, { tries: 1 });
      expect(outcome).toMatchObject({ kind: "failed", remembered });
    }
  });
}

function memoryTests(use: Use): void {
  test.each(["green", "red"] as const)("a %s tree is remembered by its gates", async (kind) => {
    const of = await use().tree(kind);
    const first = await check(use, of);
    expect(await check(use, of, { key: "another" })).toEqual({ ...first, remembered: true });
    const [gate] = use().gates;
    const more = { gates: [{ ...gate, name: "another" }] };
    expect(await check(use, of, more)).toMatchObject({ kind: first.kind, remembered: false });
    const other = await use().tree(kind);
    expect(await check(use, other)).toMatchObject({ kind: first.kind, remembered: false });
  });

  test("with history nothing is remembered, and nothing that is remembered counts", async () => {
    const green = await use().tree("green");
    const passed = { kind: "passed", remembered: false };
    expect(await check(use, green, { history: true })).toMatchObject(passed);
    expect(await check(use, green)).toMatchObject(passed);
    expect(await check(use, green, { history: true })).toMatchObject(passed);
  });
}

function abortTests(use: Use): void {
  const aborted = { name: "OperationError", code: "aborted" };

  test("a check that is cancelled rejects, and can be asked for again", async () => {
    const green = await use().tree("green");
    const controller = new AbortController();
    const checked = use().ci.check(request(use, green, { signal: controller.signal }));
    controller.abort();
    await expect(use().finish(checked)).rejects.toMatchObject(aborted);
    expect(await check(use, green)).toMatchObject({ kind: "passed", remembered: false });
  });

  test("a check that was cancelled before it began does not begin", async () => {
    const green = await use().tree("green");
    const checked = use().ci.check(request(use, green, { signal: AbortSignal.abort() }));
    await expect(use().finish(checked)).rejects.toMatchObject(aborted);
    expect(await check(use, green)).toMatchObject({ kind: "passed", remembered: false });
  });
}
