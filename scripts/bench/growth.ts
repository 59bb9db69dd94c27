// How much the journal of a project with 10,000 open issues grows on a day that brings 500 new ones,
// each of which is claimed, worked on and closed: four looks that see something new.
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { projectAggregate, projectName } from "../../src/core/ids.ts";
import { newsOf, withNews, type IssueFacts } from "../../src/core/project/backlog.ts";
import { createLoop } from "../../src/daemon/engine/loop.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { openSqliteStore } from "../../src/store/sqlite/open.ts";
import { ms, print } from "./place.ts";

const OPEN = 10_000;
const NEW = 500;

const issue = (number: number, labels: string[]): IssueFacts => ({
  number,
  title: `An issue of a usual length, number ${number}`,
  labels,
  createdAt: 1_700_000_000_000 + number,
  unmet: [],
});

export async function benchGrowth(): Promise<void> {
  const folder = mkdtempSync("/tmp/pawl-bench-");
  const path = join(folder, "pawl.db");
  const store = await openSqliteStore(path);
  try {
    const loop = createLoop({ store, crash: noCrash, onCommitted: () => undefined });
    const to = projectAggregate(projectName("bench"));
    let backlog = Array.from({ length: OPEN }, (_, index) => issue(index + 1, []));
    const upstream = { kind: "local", path: folder } as const;
    const name = projectName("bench");
    await loop.submit({
      to,
      event: { kind: "project-registered", at: 0, name, root: folder, upstream },
    });
    await loop.submit({ to, event: { kind: "issues-observed", at: 0, issues: backlog } });
    const before = statSync(path).size + statSync(`${path}-wal`).size;
    const start = performance.now();
    for (let n = OPEN + 1; n <= OPEN + NEW; n += 1) {
      const others = backlog;
      for (const now of [["backlog"], ["in-progress"], ["in-progress", "pr"], undefined]) {
        const open = now === undefined ? others : [...others, issue(n, now)];
        const news = newsOf(backlog, open);
        backlog = withNews(backlog, news);
        await loop.submit({ to, event: { kind: "issues-observed", at: n, ...news } });
      }
    }
    const each = (performance.now() - start) / (NEW * 4);
    await store.close();
    const grown = statSync(path).size - before;
    print(
      `journal growth: ${NEW} new issues on top of ${OPEN}`,
      `${(grown / 1e6).toFixed(1)} MB, ${ms(each)} a look`,
      "< 10 MB",
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
