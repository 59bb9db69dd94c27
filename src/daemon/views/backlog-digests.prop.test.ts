import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { projectAggregate, projectName } from "../../core/ids.ts";
import { digestOf } from "../../core/project/digest.ts";
import type { Project } from "../../core/project/project.ts";
import { createMemoryStore } from "../../store/memory.ts";
import { openSqliteStore } from "../../store/sqlite/open.ts";
import type { Store } from "../../ports/store.ts";
import { BacklogDigests, digestAll } from "./backlog-digests.ts";

const folders: string[] = [];

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function sqlite(): Promise<Store> {
  const folder = await mkdtemp(join(tmpdir(), "pawl-digests-"));
  folders.push(folder);
  return openSqliteStore(join(folder, "pawl.db"));
}

const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 3 });
const labels = fc.uniqueArray(
  fc.constantFrom("backlog", "blocked", "in-progress", "priority", "action", "bug"),
  { maxLength: 3 },
);
const issue = fc.record({
  number: fc.integer({ min: 1, max: 6 }),
  title: fc.constantFrom("a", "b"),
  labels,
  createdAt: fc.integer({ min: 0, max: 3 }),
  unmet: numbers,
});
const backlog = fc.uniqueArray(issue, { selector: ({ number }) => number, maxLength: 6 });
const waits = fc.dictionary(fc.constantFrom("1", "2", "3"), numbers, { maxKeys: 2 });

/** One commit of a project, or none: only a question. */
const change = fc.record({
  of: fc.constantFrom("one", "two"),
  to: fc.option(fc.record({ backlog, waits }, { requiredKeys: [] }), { nil: undefined }),
  isAsked: fc.boolean(),
});

const id = (name: string) => projectAggregate(projectName(name));

async function save(store: Store, name: string, to: Partial<Project>): Promise<void> {
  await store.transaction(async (tx) => {
    const known = { kind: "project", name, backlog: [], ...(await tx.load(id(name)))?.state };
    const { backlogVersion = 0 } = known as Partial<Project>;
    // As the project's step counts them.
    const next = to.backlog === undefined ? {} : { backlogVersion: backlogVersion + 1 };
    await tx.save(id(name), { ...known, ...to, ...next } as unknown as Project, undefined);
  });
}

async function fresh(store: Store): Promise<unknown> {
  const stored = await store.aggregates({ kind: "project" });
  return stored.flatMap(({ state }) =>
    state.kind === "project"
      ? [{ project: { ...state, backlog: [] }, digest: digestOf(state) }]
      : [],
  );
}

test.each([
  ["memory", 60, async () => createMemoryStore()],
  ["SQLite", 10, sqlite],
])(
  "what is kept of backlogs is what they say now, whatever changed: %s",
  async (_, numRuns, open) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
        const store = await open();
        const digests = new BacklogDigests();
        for (const { of, to, isAsked } of changes) {
          if (to !== undefined) await save(store, of, to);
          if (!isAsked) continue;
          const brief = await store.aggregates({ isBrief: true });
          expect(await digestAll(brief, { store, digests })).toEqual(await fresh(store));
        }
        await store.close();
      }),
      { numRuns },
    );
  },
);

test("a backlog that did not change is not read again, also where its project changed", async () => {
  const store = createMemoryStore();
  await save(store, "one", { backlog: [] });
  const digests = new BacklogDigests();
  const asked = async (from: Pick<Store, "aggregates">) =>
    digestAll(await store.aggregates({ isBrief: true }), { store: from, digests });
  const first = await asked(store);
  const none = { aggregates: () => Promise.reject(new Error("read again")) };
  expect(await asked(none)).toEqual(first);
  await save(store, "one", { observedAt: 7 });
  expect(await asked(none)).toMatchObject([
    { project: { observedAt: 7 }, digest: first[0]?.digest },
  ]);
});

test("others have their turn between reading a backlog and going through it", async () => {
  const steps: string[] = [];
  const backlog = new Proxy([] as Project["backlog"], {
    get: (issues, key) => {
      steps.push("gone through");
      return Reflect.get(issues, key) as unknown;
    },
  });
  const stored = (issues: Project["backlog"]) =>
    ({
      id: id("one"),
      version: 1,
      state: { kind: "project", name: "one", backlog: issues },
    }) as never;
  const aggregates = () => {
    setImmediate(() => steps.push("others"));
    return Promise.resolve([stored(backlog)]);
  };
  await digestAll([stored([])], { store: { aggregates } });
  expect(steps.slice(0, 2)).toEqual(["others", "gone through"]);
});
