import { expect, test } from "vitest";
import type { StatusView } from "../../api/runs.ts";
import { tellProgress } from "./tell-progress.ts";

const status = (progress: string[], own: string | null): StatusView =>
  ({
    projects: [{ name: "toy", progress }],
    runs: [{ issue: 7, identity: "dev-7", progress: own }],
  }) as unknown as StatusView;

test("what git is still at is told once for each step forward, of the project and of a run", async () => {
  const looks = [
    status(["repository: receiving objects, 10 %"], null),
    status(["repository: receiving objects, 10 %"], null),
    status(["repository: compressing objects, 100 %"], null),
    status([], "checking out files, 43 %"),
    status([], "checking out files, 51 %"),
    status(["repository: over before the next look, 100 %"], null),
  ];
  const told: string[] = [];
  const end = Promise.withResolvers<void>();
  const terminal = { stderr: (text: string) => told.push(text), now: () => 0, colour: false };
  const next = async (): Promise<StatusView> => {
    const now = looks.shift();
    if (now === undefined) end.resolve();
    return now ?? status([], null);
  };
  {
    using _ = tellProgress(terminal, { status: next }, { everyMs: 1 });
    await end.promise;
  }
  expect(told.map((line) => line.slice("00:00:00  ".length))).toEqual([
    "toy: repository: receiving objects, 10 %\n",
    "toy: repository: compressing objects, 100 %\n",
    "#7: checking out files, 51 %\n",
  ]);
});

test("what stands above the first line is said before it, however long that takes", async () => {
  const told: string[] = [];
  const end = Promise.withResolvers<void>();
  const terminal = {
    stderr: (text: string) => {
      told.push(text.slice("00:00:00  ".length));
      end.resolve();
    },
    now: () => 0,
    colour: false,
  };
  const onFirst = async (): Promise<void> => {
    await Promise.resolve();
    told.push("heading");
  };
  const next = async (): Promise<StatusView> => status(["repository: receiving objects"], null);
  {
    using _ = tellProgress(terminal, { status: next }, { everyMs: 1, onFirst });
    await end.promise;
  }
  expect(told).toEqual(["heading", "toy: repository: receiving objects\n"]);
});
