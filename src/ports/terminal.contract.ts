// What every terminal behind the port must do, as tests: the simulator's fake and tmux run the same
// suite, so that the fake stays honest. What a test needs from outside comes from `open`.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ExitRecord, LifeMarks, Spawned, Terminal } from "./terminal.ts";

export type LifeUnderTest = { dir: string; spawned: Spawned; marks: LifeMarks };

export type TerminalUnderTest = {
  terminal: Terminal;
  /** Starts an agent that waits for what it is told; the same run again is the same request. */
  start(run: string): Promise<LifeUnderTest>;
  /** The agent ends by itself with this code; resolves when that can be seen. */
  leave(life: LifeUnderTest, code: number): Promise<void>;
  /** What the wrapper left in the life's folder. */
  exitOf(life: LifeUnderTest): Promise<ExitRecord | undefined>;
  /** Lets time pass until this is settled. */
  finish<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export function terminalContract(name: string, open: () => Promise<TerminalUnderTest>): void {
  describe(`${name} keeps its contract`, () => {
    let under: TerminalUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());
    startTests(() => under);
    endTests(() => under);
  });
}

type Use = () => TerminalUnderTest;

const end = (use: Use, { spawned, marks }: LifeUnderTest): Promise<void> =>
  use().finish(
    use().terminal.end({
      tmuxSession: spawned.tmuxSession,
      process: spawned.process,
      marks,
      graceMs: 1_000,
    }),
  );

async function paneOf(use: Use, { spawned }: LifeUnderTest) {
  const panes = await use().terminal.panes();
  if (panes === "unknown") throw new Error("the panes cannot be seen");
  return panes.find(({ pane }) => pane === spawned.pane);
}

function startTests(use: Use): void {
  test("a life that was started is alive, has a pane with its marks, and has no client attached", async () => {
    const life = await use().start("1.1");
    expect(await use().terminal.probe(life.spawned.process)).toBe("alive");
    const { project, run, epoch } = life.marks;
    expect(await paneOf(use, life)).toMatchObject({
      tmuxSession: life.spawned.tmuxSession,
      dead: false,
      attached: false,
      marks: { project, run, epoch },
    });
    expect(await use().exitOf(life)).toBeUndefined();
  });

  test("a start that is repeated starts nothing, also once that life is over", async () => {
    const life = await use().start("1.1");
    expect((await use().start("1.1")).spawned).toEqual(life.spawned);
    await use().leave(life, 0);
    expect((await use().start("1.1")).spawned.process).toEqual(life.spawned.process);
    expect(await use().terminal.probe(life.spawned.process)).toBe("dead");
  });

  test("a life that ends by itself is dead and leaves its exit code; the others live on", async () => {
    const life = await use().start("1.1");
    const other = await use().start("2.1");
    await use().leave(life, 3);
    expect(await use().terminal.probe(life.spawned.process)).toBe("dead");
    expect(await use().exitOf(life)).toMatchObject({ code: 3, signal: null });
    expect(await use().terminal.probe(other.spawned.process)).toBe("alive");
  });

  test("a process with another start time is another process", async () => {
    const { pid } = (await use().start("1.1")).spawned.process;
    expect(await use().terminal.probe({ pid, startTime: "1@another-boot" })).toBe("dead");
  });

  test("what is typed goes to the life that is meant, or nowhere", async () => {
    const life = await use().start("1.1");
    const { pane, process } = life.spawned;
    expect(await use().terminal.type({ pane, process, text: "hello" })).toBe("typed");
    const other = { pid: process.pid, startTime: "1@another-boot" };
    expect(await use().terminal.type({ pane, process: other, text: "hello" })).toBe("gone");
    await end(use, life);
    expect(await use().terminal.type({ pane, process, text: "hello" })).toBe("gone");
  });
}

function endTests(use: Use): void {
  test("a life that is ended is dead, its record says so, and its pane is gone; the others live on", async () => {
    const life = await use().start("1.1");
    const other = await use().start("1.10");
    await end(use, life);
    expect(await use().terminal.probe(life.spawned.process)).toBe("dead");
    expect(await use().exitOf(life)).toMatchObject({ code: null });
    expect(await paneOf(use, life)).toBeUndefined();
    expect(await use().terminal.probe(other.spawned.process)).toBe("alive");
    expect(await paneOf(use, other)).toBeDefined();
  });

  test("ending is safe to repeat, and for a life that never began", async () => {
    const life = await use().start("1.1");
    await end(use, life);
    const record = await use().exitOf(life);
    await end(use, life);
    expect(await use().exitOf(life)).toEqual(record);
    const marks = { ...life.marks, run: "9.1" };
    const never = { tmuxSession: undefined, process: undefined, marks, graceMs: 0 };
    await use().finish(use().terminal.end(never));
  });

  test("a life whose start was not recorded is ended by its marks", async () => {
    const life = await use().start("1.1");
    const { marks } = life;
    const unseen = { tmuxSession: undefined, process: undefined, marks, graceMs: 1_000 };
    await use().finish(use().terminal.end(unseen));
    expect(await use().terminal.probe(life.spawned.process)).toBe("dead");
  });

  test("another epoch of the same run is another life", async () => {
    const life = await use().start("1.1");
    await end(use, { ...life, marks: { ...life.marks, epoch: 2 }, spawned: never(life) });
    expect(await use().terminal.probe(life.spawned.process)).toBe("alive");
  });
}

/** A session and a process that are not there. */
const never = ({ spawned }: LifeUnderTest): Spawned => ({
  ...spawned,
  tmuxSession: "absent",
  process: { pid: spawned.process.pid, startTime: "1@another-boot" },
});
