// What every CI server behind the port must do, as tests: the simulator's fake and the adapters run
// the same suite. Above all, nothing passes before every expected check has passed.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { CheckOutcome } from "../core/check.ts";
import type { Commit, Tree } from "../core/ids.ts";
import type { CiServer, ServerRequest } from "./ci.ts";

type Of = { commit: Commit; tree: Tree };

export type CiServerUnderTest = {
  server: CiServer;
  /** What must be green, two at least. */
  contexts: readonly string[];
  /** A new commit, of which nothing is reported yet. */
  commit(): Promise<Of>;
  report(
    commit: Commit,
    check: { context: string; state: "queued" | "running" | "success" | "failure" },
  ): Promise<void>;
  /** Lets so much time pass that the server is looked at several times. */
  pass(): Promise<void>;
  close(): Promise<void>;
};

export function ciServerContract(name: string, open: () => Promise<CiServerUnderTest>): void {
  describe(`${name} keeps its contract`, () => {
    let under: CiServerUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());
    waitingTests(() => under);
    redTests(() => under);
    endTests(() => under);
    lookTests(() => under);
  });
}

type Use = () => CiServerUnderTest;

/** What it was told so far; undefined while it waits. */
type Asked = { outcome: CheckOutcome | undefined; error: unknown };

function ask(use: Use, of: Of, more?: Partial<ServerRequest>): Asked {
  const asked: Asked = { outcome: undefined, error: undefined };
  const signal = new AbortController().signal;
  use()
    .server.judge({ key: "run/demo/1.1/ci", ...of, isPr: true, signal, ...more })
    .then((outcome) => (asked.outcome = outcome))
    .catch((error: unknown) => (asked.error = error));
  return asked;
}

async function reportAll(use: Use, { commit }: Of, but?: string): Promise<void> {
  for (const context of use().contexts) {
    if (context !== but) await use().report(commit, { context, state: "success" });
  }
}

function waitingTests(use: Use): void {
  test("a commit passes when all expected checks have passed, in any order", async () => {
    const of = await use().commit();
    const asked = ask(use, of);
    for (const context of use().contexts.toReversed()) {
      expect(asked.outcome).toBeUndefined();
      await use().report(of.commit, { context, state: "success" });
      await use().pass();
    }
    expect(asked.outcome).toMatchObject({ kind: "passed", tree: of.tree });
  });

  test.each(["missing", "queued", "running"] as const)(
    "a check that is %s keeps a commit from passing",
    async (state) => {
      const of = await use().commit();
      const [last = ""] = use().contexts;
      if (state !== "missing") await use().report(of.commit, { context: last, state });
      await reportAll(use, of, last);
      const asked = ask(use, of);
      await use().pass();
      expect(asked).toEqual({ outcome: undefined, error: undefined });
      await use().report(of.commit, { context: last, state: "success" });
      await use().pass();
      expect(asked.outcome).toMatchObject({ kind: "passed" });
    },
  );

  test("checks of another commit count for nothing", async () => {
    const older = await use().commit();
    await reportAll(use, older);
    const of = await use().commit();
    const asked = ask(use, of);
    await use().pass();
    expect(asked).toEqual({ outcome: undefined, error: undefined });
    expect(await use().server.knows(older.commit)).toBe(true);
    expect(await use().server.knows(of.commit)).toBe(false);
  });
}

function redTests(use: Use): void {
  test("a red check fails the commit and is named, and the same key is told the same", async () => {
    const of = await use().commit();
    const [red = ""] = use().contexts;
    await reportAll(use, of, red);
    await use().report(of.commit, { context: red, state: "failure" });
    for (const asked of [ask(use, of), ask(use, of)]) {
      await use().pass();
      expect(asked.outcome).toMatchObject({ kind: "failed", tree: of.tree });
      const results = asked.outcome?.kind === "failed" ? asked.outcome.results : [];
      expect(results.filter(({ passed }) => !passed).map(({ gate }) => gate)).toEqual([red]);
    }
  });
}

function endTests(use: Use): void {
  test("a check that does not end within the limit could not run", async () => {
    const of = await use().commit();
    const asked = ask(use, of, { timeoutMs: 1 });
    await use().pass();
    expect(asked.outcome).toMatchObject({ kind: "infra", tree: of.tree });
  });

  test("a check that is cancelled rejects", async () => {
    const of = await use().commit();
    const controller = new AbortController();
    const asked = ask(use, of, { signal: controller.signal });
    controller.abort();
    await use().pass();
    expect(asked.error).toMatchObject({ name: "OperationError", code: "aborted" });
  });
}

function lookTests(use: Use): void {
  const look = async ({ commit }: Of) => use().server.look(commit);

  test.each(["missing", "queued", "running"] as const)(
    "a look at a commit whose last check is %s finds no verdict, and says why",
    async (state) => {
      const of = await use().commit();
      const [last = ""] = use().contexts;
      if (state !== "missing") await use().report(of.commit, { context: last, state });
      await reportAll(use, of, last);
      expect(await look(of)).toEqual({ kind: "open", why: expect.stringMatching(/./) });
    },
  );

  test("a look at a commit that was never checked finds no verdict, and one at a green commit passes", async () => {
    const of = await use().commit();
    expect(await look(of)).toMatchObject({ kind: "open" });
    await reportAll(use, of);
    expect(await look(of)).toEqual({ kind: "passed" });
  });

  test("a look at a red commit names what failed, and starts nothing again", async () => {
    const of = await use().commit();
    const [red = ""] = use().contexts;
    await reportAll(use, of, red);
    await use().report(of.commit, { context: red, state: "failure" });
    for (const word of [await look(of), await look(of)]) {
      const results = word.kind === "failed" ? word.results : [];
      expect(results.filter(({ passed }) => !passed).map(({ gate }) => gate)).toEqual([red]);
    }
    const asked = ask(use, of);
    await use().pass();
    expect(asked.outcome).toMatchObject({ kind: "failed" });
    expect(await look(of)).toMatchObject({ kind: "failed" });
  });
}
