// `pawl vault request|list|show|approve|reject|confirm|log`: dangerous actions wait here for a decision.
import { Option } from "@commander-js/extra-typings";
import type { VaultView } from "../../api/vault.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printDocument } from "../output/document.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { harmless, when } from "../output/text.ts";
import { usage } from "../options.ts";
import { addRequest } from "./vault/request.ts";

const EXAMPLES = `
Examples:
  pawl vault request --what "Deploy 1.2" --command -- ./deploy.sh 1.2
  pawl vault list
  pawl vault show v-3f2a9c1b
  pawl vault approve v-3f2a9c1b
  pawl vault reject v-3f2a9c1b --reason "not on a Friday"
  pawl vault confirm v-3f2a9c1b --happened --reason "the page is up"

An approval is valid for exactly the payload that you saw, and for as long as
\`[vault] expires\` says (default: 48 hours). Agents request, people decide: Pawl
refuses approve, reject and confirm inside a session.`;

export const addVault: AddCommand = (program, { deps, finish }) => {
  const vault = program
    .command("vault")
    .description("dangerous actions wait here: request, list, show, approve, reject, confirm, log")
    .addHelpText("after", EXAMPLES);
  addRequest(vault, { deps, finish });
  vault
    .command("list")
    .description("list the actions that wait, and how the others ended")
    .addOption(new Option("--status <status>", "only actions with this status, such as waiting"))
    .option("--json", "print JSON with all fields")
    .action((options) => list(deps(), options));
  vault
    .command("show")
    .description("show an action with its whole payload")
    .argument("<id>")
    .option("--json", "print JSON with all fields")
    .action((id, options) => show(deps(), id, options));
  vault
    .command("approve")
    .description("approve an action: Pawl carries it out once")
    .argument("<id>")
    .option("--hash <sha256>", "approve only if the payload has this hash")
    .option("--json", "print JSON with all fields")
    .action((id, options) => approve(deps(), id, options));
  vault
    .command("reject")
    .description("reject an action: Pawl does not carry it out")
    .argument("<id>")
    .option("--reason <text>", "the reason, which the requester reads", "")
    .option("--json", "print JSON with all fields")
    .action((id, options) => reject(deps(), id, options));
  vault
    .command("confirm")
    .description("record whether an action with an unknown outcome happened")
    .argument("<id>")
    .option("--happened", "you looked, and the action happened")
    .option("--did-not", "you looked, and the action did not happen")
    .option("--reason <text>", "what you saw, which the requester reads")
    .addOption(new Option("--note <text>").hideHelp())
    .option("--json", "print JSON with all fields")
    .action((id, options) => confirm(deps(), id, options));
  vault
    .command("log")
    .description("show what happened to one action, or to all")
    .argument("[id]")
    .option("--json", "print JSON")
    .action((id, options) => log(deps(), id, options));
};

type Json = { json?: true | undefined };

const pathOf = (id: string): string => `/v1/vault/${encodeURIComponent(id)}`;

async function list(deps: Deps, options: Json & { status?: string | undefined }): Promise<void> {
  const all = await deps.client.get<VaultView[]>("/v1/vault");
  const { status } = options;
  const rows = all.filter((item) => status === undefined || item.status === status);
  const columns: Column<VaultView>[] = [
    { title: "id", tty: ({ id }) => id },
    { title: "status", tty: (item) => item.status },
    { title: "type", tty: ({ type }) => type },
    { title: "risk", tty: ({ risk }) => risk },
    { title: "by", tty: ({ by }) => harmless(by) },
    { title: "asked", tty: (item) => when(deps, item.requested_at) },
    { title: "what", tty: ({ what }) => harmless(what), widthMin: 16 },
  ];
  printRows(deps, rows, { columns, json: options.json, empty: "the vault is empty" });
}

async function show(deps: Deps, id: string, options: Json): Promise<void> {
  const item = await deps.client.get<VaultView>(pathOf(id));
  if (options.json === true) return printJson(deps, item);
  print(deps, item);
}

function print(deps: Deps, item: VaultView): void {
  printDocument(deps, {
    title: `vault ${item.id}: ${item.what}`,
    facts: [
      { name: "status", value: item.status },
      { name: "type", value: item.type },
      { name: "risk", value: item.risk },
      { name: "reversible", value: item.reversible ? "yes" : "no" },
      { name: "by", value: item.by },
      { name: "issue", value: item.issue === null ? "" : `#${item.issue}` },
      { name: "asked", value: when(deps, item.requested_at) },
      { name: "until", value: item.deadline === null ? "" : when(deps, item.deadline) },
      { name: "sha256", value: item.sha256 },
    ],
    text: JSON.stringify(item.payload, null, 2),
    said: [],
  });
  if (!item.needs_you) return;
  const ways = [`approve ${item.id}`, `reject ${item.id}`];
  if (item.status === "unsure") ways.unshift(`confirm ${item.id} --happened`);
  deps.stderr(`\ndecide with: ${ways.map((way) => `pawl vault ${way}`).join("   or: ")}\n`);
}

async function approve(
  deps: Deps,
  id: string,
  options: Json & { hash?: string | undefined },
): Promise<void> {
  const hash = options.hash ?? (await deps.client.get<VaultView>(pathOf(id))).sha256;
  const item = await deps.client.post<VaultView>(`${pathOf(id)}/approve`, { by: deps.user, hash });
  if (options.json === true) printJson(deps, item);
  else deps.stderr(`approved ${id}: ${harmless(item.what)} (sha256 ${item.sha256.slice(0, 12)})\n`);
}

async function reject(deps: Deps, id: string, options: Json & { reason: string }): Promise<void> {
  const { reason } = options;
  const item = await deps.client.post<VaultView>(`${pathOf(id)}/reject`, { by: deps.user, reason });
  if (options.json === true) printJson(deps, item);
  else deps.stderr(`rejected ${id}: ${harmless(item.what)}\n`);
}

async function confirm(
  deps: Deps,
  id: string,
  options: Json & {
    happened?: true | undefined;
    didNot?: true | undefined;
    reason?: string;
    note?: string;
  },
): Promise<void> {
  const { happened, didNot } = options;
  const note = options.reason ?? options.note ?? "";
  if ((happened === true) === (didNot === true)) {
    throw usage("did it happen?", "give either --happened or --did-not");
  }
  const word = { by: deps.user, happened: happened === true, note };
  const item = await deps.client.post<VaultView>(`${pathOf(id)}/confirm`, word);
  if (options.json === true) printJson(deps, item);
  else deps.stderr(`${id} is ${item.status}: ${harmless(item.what)}\n`);
}

async function log(deps: Deps, id: string | undefined, options: Json): Promise<void> {
  const items =
    id === undefined
      ? await deps.client.get<VaultView[]>("/v1/vault")
      : [await deps.client.get<VaultView>(pathOf(id))];
  const rows = items
    .flatMap((item) => item.log.map((line) => ({ id: item.id, ...line })))
    .toSorted((a, b) => a.at.localeCompare(b.at));
  const columns: Column<(typeof rows)[number]>[] = [
    { title: "at", tty: ({ at }) => when(deps, at) },
    { title: "id", tty: (row) => row.id },
    { title: "what", tty: ({ text }) => harmless(text), widthMin: 20 },
  ];
  printRows(deps, rows, {
    columns,
    json: options.json,
    empty: "nothing has happened in the vault",
  });
}
