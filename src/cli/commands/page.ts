// `pawl page`: a link that opens the page in a browser, and the browsers that were paired.
import { Option } from "@commander-js/extra-typings";
import { PAGE_SCOPES, type DeviceView, type PageLinkView } from "../../api/page.ts";
import type { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { openBrowser } from "../open-browser.ts";
import { usage } from "../options.ts";
import { printJson, printRows, type Column } from "../output/rows.ts";
import { harmless, when } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl page                         prints a link for this machine and opens a browser
  pawl page --scope view            a browser that can only look
  pawl page --scope terminal        a browser that may also type into agents' terminals
  pawl page devices
  pawl page revoke 1f2e3d4c

\`pawl page open --help\` lists the options of \`pawl page\`.

The page listens on 127.0.0.1 only. From another machine, forward the port first:
  ssh -L PORT:127.0.0.1:PORT this-machine
or name a proxy with TLS (tailscale serve) in factory.toml: [page] origins`;

const HOST = "127.0.0.1";

export const addPage: AddCommand = (program, { deps }) => {
  const page = program
    .command("page")
    .description("open Pawl's page in a browser")
    .addHelpText("after", EXAMPLES);
  page
    .command("open", { isDefault: true })
    .description("print a link that pairs a browser, and open it if a browser is found")
    .addOption(
      new Option("--scope <scope>", "what the browser may do")
        .choices(PAGE_SCOPES)
        .default("operate"),
    )
    .option("--bind <address>", "the address to serve at; only 127.0.0.1 is allowed", HOST)
    .option("--no-open", "only print the link")
    .option("--json", "as JSON, with all fields; opens no browser")
    .action((options) => showLink(deps(), options));
  page
    .command("devices")
    .description("list the paired browsers")
    .option("--json", "print JSON with all fields")
    .action((options) => listDevices(deps(), options));
  page
    .command("revoke <device>")
    .description("revoke a browser's access at once")
    .action((device) => revoke(deps(), device));
};

type LinkOptions = { scope: string; bind: string; open: boolean; json?: true | undefined };

async function showLink(deps: Deps, { scope, bind, open, json }: LinkOptions): Promise<void> {
  if (bind !== HOST) throw await elsewhere(deps, bind);
  const link = await deps.client.post<PageLinkView>("/v1/page/links", { scope });
  if (json === true) {
    printJson(deps, link);
    return;
  }
  deps.stdout(`${link.url}\n`);
  for (const url of link.also ?? []) deps.stderr(`From elsewhere: ${url}\n`);
  deps.stderr("The link works once, within five minutes.\n");
  if (open) openBrowser(deps, link.url);
}

/** People who find no proper way in take the lock off: the line that works is the answer. */
async function elsewhere({ client }: Deps, bind: string): Promise<OperationError> {
  const { url } = await client.post<PageLinkView>("/v1/page/links", { scope: "view" });
  const { port } = new URL(url);
  return usage(
    `cannot serve the page at ${bind}: without TLS, others on the network could read and type`,
    `run \`ssh -L ${port}:${HOST}:${port} THIS-MACHINE\` on the machine of your browser, then open there the link that \`pawl page\` prints here`,
  );
}

async function listDevices(deps: Deps, { json }: { json?: true | undefined }): Promise<void> {
  const devices = await deps.client.get<DeviceView[]>("/v1/page/devices");
  const columns: Column<DeviceView>[] = [
    { title: "device", tty: ({ id }) => id },
    { title: "name", tty: ({ name }) => harmless(name) },
    { title: "may", tty: ({ scope }) => scope },
    { title: "paired", tty: (one) => when(deps, one.paired_at), pipe: (one) => one.paired_at },
    { title: "last seen", tty: (one) => when(deps, one.last_seen), pipe: (one) => one.last_seen },
  ];
  printRows(deps, devices, { columns, json, empty: "no browser is paired: `pawl page` pairs one" });
}

async function revoke(deps: Deps, device: string): Promise<void> {
  await deps.client.post(`/v1/page/devices/${encodeURIComponent(device)}/revoke`, {});
  deps.stdout(`revoked ${device}\n`);
}
