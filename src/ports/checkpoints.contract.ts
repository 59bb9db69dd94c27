// What checkpoints behind the port must do, as tests, as far as the engine relies on it: the
// simulator's and git's run the same suite, so that the fake stays honest. What people ask for at a
// command line (list, content, diff, restoring) and what keeps a hub small (thin, tidy, push) are
// not part of it: no simulation uses either.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Checkpoints } from "./checkpoints.ts";
import type { Git } from "./git.ts";

type Files = Record<string, string>;

export type CheckpointsUnderTest = {
  git: Git;
  checkpoints: Checkpoints;
  /** The path of the workspace with this name; nothing is there yet. */
  place: (name: string) => string;
  /** What an agent does there. */
  write(workspace: string, files: Files): Promise<void>;
  commit(workspace: string, files: Files): Promise<unknown>;
  read(workspace: string, file: string): Promise<string | undefined>;
  /** Lets time pass until this is settled. */
  finish<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
};

/** One of them for all tests, which leave it open to the next: every clone takes git a while. */
export function checkpointsContract(name: string, open: () => Promise<CheckpointsUnderTest>): void {
  describe(`${name} keep their contract`, () => {
    let under: CheckpointsUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());
    chainTests(() => under);
    watchTests(() => under);
  });
}

type Use = () => CheckpointsUnderTest;

/** The workspace of `dev-{name}`, made from what is saved of it where there is something. */
async function workspace(use: Use, name: string): Promise<string> {
  const { git, place } = use();
  const path = place(name);
  const from = await git.fetchTarget();
  const identity = `dev-${name}`;
  await git.prepareWorkspace({ path, branch: `pawl/${name}`, from, identity });
  return path;
}

const save = (use: Use, name: string) =>
  use().git.checkpoint({ workspace: use().place(name), identity: `dev-${name}`, reason: "test" });

function chainTests(use: Use): void {
  const landed = (identity: string): Promise<void> =>
    use().checkpoints.archive({ identity, at: Date.UTC(2026, 0, 5) });

  test("an identity is known while something of it is saved that has not landed", async () => {
    const { checkpoints } = use();
    for (const name of ["a", "b"]) {
      const path = await workspace(use, name);
      expect(await checkpoints.identities()).not.toContain(`dev-${name}`);
      await use().write(path, { "new.txt": `${name}\n` });
      expect((await save(use, name)).kind).toBe("saved");
    }
    expect((await checkpoints.identities()).toSorted()).toEqual(["dev-a", "dev-b"]);
    for (const identity of ["dev-a", "dev-a", "dev-unknown"]) await landed(identity);
    expect(await checkpoints.identities()).toEqual(["dev-b"]);
  });

  test("what has landed is not what the next life begins with", async () => {
    const path = await workspace(use, "a");
    await use().write(path, { "new.txt": "a\n" });
    // Nor is it a reason to call a workspace unchanged, and a commit alone is a change.
    expect((await save(use, "a")).kind).toBe("saved");
    await use().commit(path, {});
    expect((await save(use, "a")).kind).toBe("saved");
    await use().git.removeWorkspace({ path, identity: "dev-a" });
    await landed("dev-a");
    await workspace(use, "a");
    expect(await use().read(path, "new.txt")).toBeUndefined();
  });
}

const FILE = "new.txt";

/** Hears when it is told of a change that can be seen by then. */
function listen(use: Use, path: string) {
  let calls = 0;
  let wake = (): void => undefined;
  const watch = use().checkpoints.watch({
    workspace: path,
    onChange: () => {
      calls += 1;
      wake();
    },
  });
  /** The text of the file, once it is told while it has this one. */
  const sees = (text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = async (): Promise<void> => {
        if ((await use().read(path, FILE)) === text) resolve(text);
      };
      wake = () => void look().catch(reject);
    });
  /** The same after writing it. */
  const isTold = async (text: string): Promise<string> => {
    const seen = sees(text);
    await use().write(path, { [FILE]: text });
    return use().finish(seen);
  };
  return { sees, isTold, calls: () => calls, close: () => watch.close() };
}

function watchTests(use: Use): void {
  test("every watcher of a workspace is told of every change", async () => {
    const path = await workspace(use, "w");
    const first = listen(use, path);
    for (const text of ["1\n", "2\n"]) expect(await first.isTold(text)).toBe(text);
    const second = listen(use, path);
    const both = [first, second].map((watcher) => watcher.sees("3\n"));
    await use().commit(path, { [FILE]: "3\n" });
    expect(await use().finish(Promise.all(both))).toEqual(["3\n", "3\n"]);
    first.close();
    second.close();
  });

  test("a closed watcher is told of nothing more, also not of earlier writes", async () => {
    const path = await workspace(use, "w");
    const atOnce = listen(use, path);
    atOnce.close();
    const closed = listen(use, path);
    await closed.isTold("1\n");
    await use().write(path, { [FILE]: "2\n" });
    closed.close();
    closed.close();
    const calls = closed.calls();
    const other = listen(use, path);
    for (const text of ["3\n", "4\n"]) await other.isTold(text);
    other.close();
    expect([closed.calls(), atOnce.calls()]).toEqual([calls, 0]);
  });

  test("a watcher of a workspace that is removed and made again is told of changes in the new one", async () => {
    const path = await workspace(use, "w");
    const watcher = listen(use, path);
    await watcher.isTold("1\n");
    await use().git.removeWorkspace({ path, identity: "dev-w" });
    await workspace(use, "w");
    for (const text of ["2\n", "3\n"]) expect(await watcher.isTold(text)).toBe(text);
    watcher.close();
  });
}
