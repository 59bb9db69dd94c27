// Work without an owner, made as it comes about: a journal that lost a run, an entry of the merge
// queue whose run is over, and a terminal that outlived its run. No daemon runs meanwhile.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { collectionsOf } from "../../src/adapters/forge-builtin/collections.ts";
import { projectName } from "../../src/core/ids.ts";
import type { Factory } from "./pawl.ts";

const change = ({ home }: Factory, sql: string, ...values: string[]): void => {
  using journal = new DatabaseSync(join(home, "pawl.db"));
  journal.prepare(sql).run(...values);
};

/** The run is not in the journal, and what it saved not in the hub. */
export function loseRun(factory: Factory, { run, identity }: { run: string; identity: string }) {
  const { project, home } = factory;
  // A run that is over is in the archive.
  for (const table of ["aggregates", "archive", "history", "history_names"]) {
    change(factory, `DELETE FROM ${table} WHERE id = ?`, `run:${project}/${run}`);
  }
  const hub = join(home, "projects", project, "hub.git");
  factory.gitIn(hub, "update-ref", "-d", `refs/pawl/checkpoints/${identity}`);
}

/** By the built-in tracker this run has claimed the issue; it must be in progress there. */
export function claimFor(factory: Factory, { issue, run }: { issue: number; run: string }): void {
  const { project } = factory;
  const sql =
    "UPDATE records SET value = json_set(value, '$.claim', ?) WHERE collection = ? AND key = ?";
  change(
    factory,
    sql,
    `run:${project}/${run}`,
    collectionsOf(projectName(project)).issues,
    String(issue),
  );
}

/** The first entry of the queue belongs to this run. */
export function giveEntryTo(factory: Factory, run: string): void {
  const id = `queue:${factory.project}`;
  const sql = "UPDATE aggregates SET state = json_set(state, '$.entries[0].run', ?) WHERE id = ?";
  change(factory, sql, run, id);
}

/** A terminal with the marks of a run that is over. */
export function straySession({ socket, project, env }: Factory, run: string): void {
  const tmux = (...args: string[]): void => {
    execFileSync("tmux", ["-S", socket, ...args], { env, stdio: "ignore" });
  };
  tmux("new-session", "-d", "-s", "dev-stray-9", "sleep 600");
  tmux("set-option", "-t", "dev-stray-9", "@pawl_life", `${project} ${run} 1`);
}
