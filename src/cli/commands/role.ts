// `pawl role log`: what the standing roles found, decided and did, with what would undo it.
import { allProjects, oldAll } from "../options.ts";
import type { RoleRoundView } from "../../api/roles.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printRows, type Column } from "../output/rows.ts";
import { harmless, when } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl role log                  every round, newest last
  pawl role log gardener --json  with what was found, answered and done`;

type LogOptions = { all?: true | undefined; json?: true | undefined };

export const addRole: AddCommand = (program, { deps }) => {
  const role = program
    .command("role")
    .description("show what the gardener, supervisor, planner and predictor did")
    .addHelpText("after", EXAMPLES);
  role
    .command("log")
    .description("show what the roles found, decided and did, newest last")
    .argument("[role]", "only of this one")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "print JSON with all fields")
    .action((name, options) => log(deps(), name, options));
};

async function log(deps: Deps, role: string | undefined, options: LogOptions): Promise<void> {
  const query = new URLSearchParams({});
  if (role !== undefined) query.set("role", role);
  if (options.all === true) query.set("all", "true");
  const asked = query.size === 0 ? "" : `?${query.toString()}`;
  const rounds = await deps.client.get<RoleRoundView[]>(`/v1/roles/log${asked}`);
  const columns: Column<RoleRoundView>[] = [
    { title: "when", tty: ({ at }) => when(deps, at), pipe: ({ at }) => at },
    { title: "role", tty: (one) => one.role },
    { title: "formula", tty: ({ formula, cycle }) => `${formula}#${cycle}` },
    { title: "found", tty: ({ found }) => String(found.length) },
    { title: "did", tty: (round) => harmless(did(round)), pipe: did, widthMin: 20 },
    { title: "project", tty: ({ project }) => project },
  ];
  printRows(deps, rounds, {
    columns,
    json: options.json,
    empty: "no role has judged anything yet",
    whole: { did: "`pawl role log --json` shows all that was done" },
  });
}

const did = ({ done, left }: RoleRoundView): string =>
  [...done, ...left].join("; ") || "nothing needed to change";
