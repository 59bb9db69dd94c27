// What workspaces behind the port must do, as tests, as far as the engine relies on it: the
// simulator's and the real ones run the same suite, so that the fake stays honest. What a set-up
// copies and runs is not part of it: simulated projects have none.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Workspaces } from "./workspace.ts";

export type WorkspacesUnderTest = {
  workspaces: Workspaces;
  /** A workspace, and a path where none is. */
  path: string;
  nowhere: string;
  /** The agent commits something there. */
  commit(): Promise<unknown>;
  close(): Promise<void>;
};

export function workspacesContract(name: string, open: () => Promise<WorkspacesUnderTest>): void {
  describe(`${name} keep their contract`, () => {
    let under: WorkspacesUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    test("the stamp of a workspace changes with a commit and with nothing else", async () => {
      const { workspaces, path } = under;
      const stamps: unknown[] = [];
      for (let time = 0; time < 3; time += 1) {
        const stamp = await workspaces.stamp(path);
        expect(await workspaces.stamp(path)).toBe(stamp);
        stamps.push(stamp);
        await under.commit();
      }
      expect(stamps).not.toContain(undefined);
      expect(new Set(stamps).size).toBe(3);
    });

    test("a workspace that is not there has no stamp, and taking it down succeeds", async () => {
      const { workspaces, nowhere } = under;
      const plain = { path: nowhere, command: "exit 1", env: {}, timeoutMs: 10_000 };
      for (const time of [1, 2]) {
        expect([time, await workspaces.tearDown(plain)]).toEqual([time, undefined]);
        expect(await workspaces.stamp(nowhere)).toBeUndefined();
      }
    });

    test("where nothing is asked for, set-up and taking down leave a workspace as it is", async () => {
      const { workspaces, path } = under;
      const stamp = await workspaces.stamp(path);
      const plain = { path, command: undefined, env: {}, timeoutMs: 10_000 };
      for (const from of ["/nowhere", "/nowhere"]) {
        await workspaces.setUp({ ...plain, from, copy: [] });
        await workspaces.tearDown(plain);
      }
      expect(await workspaces.stamp(path)).toBe(stamp);
    });
  });
}
