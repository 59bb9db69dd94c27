// `pawl gate …`: conditions that steps and agents wait for.
import { Option } from "@commander-js/extra-typings";
import type { GateView } from "../../api/gates.ts";
import type { AddCommand } from "../command.ts";
import { EXIT, type Deps, type ExitCode } from "../deps.ts";
import { collect, oldAll } from "../options.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { harmless, paint, when } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl gate list
  pawl gate create --type timer --timeout "10 min" --waiter dev-42
  pawl gate create --type pr --await-id 43
  pawl gate create --type command --command "test -e /srv/ready" --every "1 min"
  pawl gate close release.1.ship --reason "looks good"
  pawl gate close release.1.ship --refuse --reason "not on a Friday"
  pawl gate check

A gate of this command is a condition to wait for. A CI gate is something else: a command in
[ci] of pawl.toml that must pass before work lands.
Types: timer, human, mail, ci (gh:run), pr (gh:pr), issue, command, vault.
A mail gate is closed by a letter to gate:ID.`;

const JSON_OPTION = ["--json", "print JSON with all fields"] as const;

type Json = { json?: true | undefined };

export const addGate: AddCommand = (program, { deps, finish }) => {
  const gate = program
    .command("gate")
    .description("manage conditions that steps and agents wait for; see `ci` for CI gates")
    .addHelpText("after", EXAMPLES);
  gate
    .command("list")
    .description("list gates and what waits for them")
    .addOption(
      new Option("--state <state>", "`open`, or `all` to include the last 200 closed gates")
        .choices(["open", "all"])
        .default("open"),
    )
    .addOption(oldAll())
    .option(...JSON_OPTION)
    .action(({ state, all, json }) => {
      return listGates(deps(), { json, all: all === true || state === "all" });
    });
  gate
    .command("create")
    .description("open a gate; prints its id")
    .requiredOption("--type <type>", "the condition to wait for")
    .option(
      "--timeout <duration>",
      "for a timer, its length; for a command, the limit of one try; otherwise when to notify you",
    )
    .option("--await-id <id>", "the branch, PR, issue or vault item")
    .option("--question <text>", "the question for a person")
    .option("--command <command>", "close the gate when this command exits 0")
    .option("--every <duration>", "how often to try the command")
    .option("--title <text>", "the title in lists")
    .option(
      "--waiter <identity>",
      "send a letter to this identity when it closes; may be repeated",
      collect,
      [],
    )
    .option(...JSON_OPTION)
    .action((options) => createGate(deps(), options));
  gate
    .command("close")
    .description("close a gate by hand; its waiters continue")
    .argument("<gate>", "its id")
    .requiredOption("--reason <text>", "the reason, which the waiters read")
    .option("--refuse", "refuse instead: its waiters must not continue")
    .action((id, options) => closeGate(deps(), id, options));
  gate
    .command("check")
    .description("check the conditions of gates now (exits 8 if some stay open)")
    .argument("[gate]", "its id; without it, all gates")
    .option(...JSON_OPTION)
    .action(async (id, options) => finish(await checkGates(deps(), id, options)));
};

async function listGates(deps: Deps, options: Json & { all: boolean }): Promise<void> {
  const path = options.all ? "/v1/gates?all=true" : "/v1/gates";
  printGates(deps, await deps.client.get<GateView[]>(path), options);
}

function printGates(deps: Deps, gates: GateView[], { json }: Json): void {
  printRows(deps, gates, { columns: columns(deps), json, empty: "no gate is open" });
}

const columns = (deps: Deps): Column<GateView>[] => [
  { title: "gate", tty: ({ id }) => id },
  { title: "state", tty: ({ state }) => stateText(deps, state), pipe: ({ state }) => state },
  { title: "waits for", tty: (gate) => harmless(gate.waits_for), widthMin: 15 },
  { title: "seen", tty: ({ seen, reason }) => harmless(reason ?? seen), widthMin: 10 },
  { title: "waiters", tty: ({ waiters }) => waiters.join(" ") },
  { title: "opened", tty: (gate) => when(deps, gate.opened_at) },
];

function stateText(deps: Deps, state: GateView["state"]): string {
  if (state === "overdue" || state === "refused") return paint(deps, "red", state);
  return state === "closed" ? paint(deps, "green", state) : state;
}

type Created = {
  type: string;
  timeout?: string | undefined;
  awaitId?: string | undefined;
  question?: string | undefined;
  command?: string | undefined;
  every?: string | undefined;
  title?: string | undefined;
  waiter: string[];
};

async function createGate(deps: Deps, options: Created & Json): Promise<void> {
  const { type, timeout, awaitId, question, command, every } = options;
  const given = { type, timeout, await_id: awaitId, question, command, every };
  const gate = Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined));
  const view = await deps.client.post<GateView>("/v1/gates", {
    gate,
    title: options.title ?? question ?? type,
    waiters: options.waiter,
    key: deps.newKey(),
    by: deps.user,
  });
  if (options.json === true) printJson(deps, view);
  else deps.stdout(`${view.id}\n`);
}

async function closeGate(
  deps: Deps,
  id: string,
  options: { reason: string; refuse?: true | undefined },
): Promise<void> {
  const { reason } = options;
  const view = await deps.client.post<GateView>(`/v1/gates/${encodeURIComponent(id)}/close`, {
    reason,
    met: options.refuse !== true,
    by: deps.user,
  });
  deps.stderr(`gate ${view.id} is ${view.state}\n`);
}

async function checkGates(deps: Deps, id: string | undefined, options: Json): Promise<ExitCode> {
  const query = id === undefined ? "" : `?gate=${encodeURIComponent(id)}`;
  const gates = await deps.client.post<GateView[]>(`/v1/gates/check${query}`, {});
  printGates(deps, gates, options);
  return gates.some(({ closed_at: at }) => at === null) ? EXIT.pending : EXIT.ok;
}
