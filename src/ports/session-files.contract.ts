// What session files behind the port must do, as tests: the simulator's folders and the real ones run
// the same suite, so that the fake stays honest. What the agent does comes from `open`.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SessionDir, SessionFiles } from "./session-files.ts";

export type SessionFilesUnderTest = {
  files: SessionFiles;
  /** The folder of a life that is prepared. */
  dir: SessionDir;
  phaseLink: string;
  /** What the agent does there. */
  writePhase(text: string): Promise<void>;
  spool(name: string, text: string): Promise<void>;
  /** Moves it from new/ to cur/; fails where it is not there. */
  take(id: string): Promise<void>;
  /** The messages that lie in its inbox, unread. */
  unread(): Promise<string[]>;
  /** Lets time pass until this is settled. */
  finish<T>(work: Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export function sessionFilesContract(
  name: string,
  open: () => Promise<SessionFilesUnderTest>,
): void {
  describe(`${name} keep their contract`, () => {
    let under: SessionFilesUnderTest;
    beforeEach(async () => {
      under = await open();
    });
    afterEach(() => under.close());
    snapshotTests(() => under);
    inboxTests(() => under);
    heldTests(() => under);
    watchTests(() => under);
  });
}

type Use = () => SessionFilesUnderTest;

function snapshotTests(use: Use): void {
  test("a folder in which nothing was said says nothing, also prepared again", async () => {
    const { files, dir, phaseLink } = use();
    const empty = { phase: undefined, spool: [], acknowledged: [], exit: undefined };
    expect(await files.read(dir)).toMatchObject(empty);
    await files.prepare({ dir, prompt: "again", phaseLink });
    expect(await files.read(dir)).toMatchObject(empty);
  });

  test("a phase has another stamp with every writing, also of the same text", async () => {
    const { files, dir } = use();
    const stamps = new Set<string | undefined>();
    for (let time = 0; time < 3; time += 1) {
      await use().writePhase("PHASE:awaiting_ci");
      const { phase } = await files.read(dir);
      expect(phase?.text.trim()).toBe("PHASE:awaiting_ci");
      stamps.add(phase?.stamp);
      expect((await files.read(dir)).phase?.stamp).toBe(phase?.stamp);
    }
    expect(stamps.size).toBe(3);
  });

  test("spool files are read by name until they are removed; unknown ones are fine", async () => {
    const { files, dir } = use();
    await use().spool("1-a.json", "one");
    await use().spool("2-b.json", "two");
    const names = async (): Promise<string[]> =>
      (await files.read(dir)).spool.map(({ name, text }) => `${name} ${text.trim()}`);
    expect(await names()).toEqual(["1-a.json one", "2-b.json two"]);
    expect(await names()).toEqual(["1-a.json one", "2-b.json two"]);
    for (const name of ["1-a.json", "1-a.json", "absent.json"]) {
      await files.removeSpool({ dir, name });
    }
    expect(await names()).toEqual(["2-b.json two"]);
  });
}

function inboxTests(use: Use): void {
  test("a message lies in the inbox once, however often it is delivered, and is acknowledged by being taken", async () => {
    const { files, dir } = use();
    const message = { dir, id: "m1", text: "Id: m1\nKind: notice\n\nhello\n" };
    expect(await files.deliver(message)).toBe("delivered");
    expect(await files.deliver(message)).toBe("already");
    expect(await use().unread()).toEqual(["m1"]);
    expect((await files.read(dir)).acknowledged).toEqual([]);
    await use().take("m1");
    expect((await files.read(dir)).acknowledged).toEqual(["m1"]);
    expect(await files.deliver(message)).toBe("already");
    expect(await use().unread()).toEqual([]);
  });
}

function heldTests(use: Use): void {
  const text = "Id: m1\nKind: notice\n\nhello\n";

  test("a message that is typed is out of the hook's reach, and is not put there again", async () => {
    const { files, dir } = use();
    await files.deliver({ dir, id: "m1", text });
    expect(await files.hold({ dir, id: "m1" })).toBe("held");
    expect(await use().unread()).toEqual([]);
    // The next daemon begins again.
    expect(await files.deliver({ dir, id: "m1", text })).toBe("already");
    expect(await files.hold({ dir, id: "m1" })).toBe("held");
    expect(await use().unread()).toEqual([]);
    expect((await files.read(dir)).acknowledged).toEqual([]);
  });

  test("a message that is not typed any more is mail again, and can be typed again", async () => {
    const { files, dir } = use();
    await files.deliver({ dir, id: "m1", text });
    await files.hold({ dir, id: "m1" });
    await files.release({ dir, id: "m1" });
    expect(await use().unread()).toEqual(["m1"]);
    await files.release({ dir, id: "m1" });
    await files.release({ dir, id: "absent" });
    expect(await use().unread()).toEqual(["m1"]);
    expect(await files.hold({ dir, id: "m1" })).toBe("held");
    expect(await use().unread()).toEqual([]);
    await files.release({ dir, id: "m1" });
    await use().take("m1");
    await files.release({ dir, id: "m1" });
    expect((await files.read(dir)).acknowledged).toEqual(["m1"]);
    expect(await use().unread()).toEqual([]);
  });

  test("a message that was sent is never mail again: the agent may have it", async () => {
    const { files, dir } = use();
    await files.deliver({ dir, id: "m1", text });
    await files.hold({ dir, id: "m1" });
    expect(await files.hold({ dir, id: "m1", isSent: true })).toBe("held");
    expect(await files.hold({ dir, id: "m1", isSent: true })).toBe("held");
    // The next daemon types it again.
    expect(await files.hold({ dir, id: "m1" })).toBe("held");
    await files.release({ dir, id: "m1" });
    expect(await use().unread()).toEqual([]);
    expect((await files.read(dir)).acknowledged).toEqual([]);
  });

  test("a message that a hook has taken is not typed", async () => {
    const { files, dir } = use();
    await files.deliver({ dir, id: "m1", text });
    await use().take("m1");
    expect(await files.hold({ dir, id: "m1" })).toBe("taken");
    expect((await files.read(dir)).acknowledged).toEqual(["m1"]);
  });

  test("of hooks and Pawl, one has the message", async () => {
    const { files, dir } = use();
    await files.deliver({ dir, id: "m1", text });
    const took = use()
      .take("m1")
      .then(
        () => true,
        () => false,
      );
    const [held, isTaken] = await Promise.all([files.hold({ dir, id: "m1" }), took]);
    const { acknowledged } = await files.read(dir);
    expect({ isTaken, acknowledged }).toEqual(
      held === "held"
        ? { isTaken: false, acknowledged: [] }
        : { isTaken: true, acknowledged: ["m1"] },
    );
  });
}

function watchTests(use: Use): void {
  test("a watcher of a folder is told of a phase", async () => {
    const { files, dir } = use();
    const { promise, resolve } = Promise.withResolvers<string>();
    const watch = files.watch({
      dir,
      onChange: ({ phase }) => (phase === undefined ? undefined : resolve(phase.text.trim())),
      onMaybeGone: () => undefined,
    });
    await use().writePhase("PHASE:done");
    expect(await use().finish(promise)).toBe("PHASE:done");
    watch.close();
  });
}
