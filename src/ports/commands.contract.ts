// What commands behind the port must do, as tests: the simulator's and the real ones run the same
// suite, so that the fake stays honest.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LET_GO, type CommandRequest, type Commands } from "./commands.ts";

export type CommandsUnderTest = {
  /** Each call is another daemon over the same machine. */
  commands: () => Commands;
  /** Of a command that ends by itself, once it is allowed to. */
  request: CommandRequest;
  /** Waits until it was started, and says how often. */
  started(): Promise<number>;
  /** From now on it ends by itself. */
  allowEnd(): Promise<void>;
  /** Lets time pass until this is settled. */
  finish: <T>(work: Promise<T>) => Promise<T>;
  close(): Promise<void>;
};

export function commandsContract(name: string, open: () => Promise<CommandsUnderTest>): void {
  describe(`${name} keep their contract`, () => {
    let under: CommandsUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());
    lifeTests(() => under);
    endTests(() => under);
  });
}

type Use = () => CommandsUnderTest;

function lifeTests(use: Use): void {
  test("the same folder again tells the same end, and starts nothing; it is known to have begun", async () => {
    const { request, commands, finish } = use();
    await use().allowEnd();
    expect(await commands().isBegun(request.folder)).toBe(false);
    const first = await finish(commands().run(request));
    expect(await commands().isBegun(request.folder)).toBe(true);
    expect(first).toMatchObject({ kind: "exited", code: 0 });
    expect(await finish(commands().run(request))).toEqual(first);
    expect(await use().started()).toBe(1);
  });

  test("a command that is let go keeps running, and the next caller adopts it", async () => {
    const { request, commands, finish } = use();
    const controller = new AbortController();
    const first = commands().run({ ...request, signal: controller.signal });
    first.catch(() => undefined);
    await use().started();
    controller.abort(LET_GO);
    await expect(finish(first)).rejects.toMatchObject({ code: "aborted" });
    const second = commands().run(request);
    await use().allowEnd();
    expect(await finish(second)).toMatchObject({ kind: "exited", code: 0 });
    expect(await use().started()).toBe(1);
  });
}

function endTests(use: Use): void {
  test("at its time limit it is ended, and stays so", async () => {
    const { request, commands, finish } = use();
    const ended = await finish(commands().run({ ...request, timeoutMs: 1 }));
    expect(ended.kind).toBe("timed-out");
    await use().allowEnd();
    expect((await finish(commands().run(request))).kind).toBe("timed-out");
  });

  test("a command that is cancelled is not started again", async () => {
    const { request, commands, finish } = use();
    const controller = new AbortController();
    const first = commands().run({ ...request, signal: controller.signal });
    first.catch(() => undefined);
    await use().started();
    controller.abort();
    await expect(finish(first)).rejects.toMatchObject({ code: "aborted" });
    await finish(commands().run(request));
    expect(await use().started()).toBe(1);
  });
}
