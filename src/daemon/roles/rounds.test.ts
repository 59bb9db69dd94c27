import { expect, test } from "vitest";
import { projectName } from "../../core/ids.ts";
import type { StandingRole } from "../../core/roles/result.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { keepRound, roundsOf } from "./rounds.ts";

const project = projectName("toy");

test("a role that has many rounds displaces its own old ones, and none of another role", async () => {
  const store = createMemoryStore();
  const keep = (at: number, role: StandingRole): Promise<void> =>
    keepRound(
      store,
      { project, key: `${role}:${at}` },
      {
        at,
        role,
        formula: "f",
        cycle: 1,
        findings: [],
        answer: "",
        planned: [],
        done: [],
        left: [],
      },
    );
  await keep(1, "planner");
  for (let at = 2; at <= 203; at += 1) await keep(at, "supervisor");
  const kept = await roundsOf(store, project);
  expect(kept.map(({ at }) => at)).toEqual([1, ...Array.from({ length: 200 }, (_, at) => at + 4)]);
});
