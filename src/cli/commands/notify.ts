// `pawl notify list|test`: the ways news reaches you, and whether they work.
import { allProjects, oldAll } from "../options.ts";
import { Option } from "@commander-js/extra-typings";
import { CHANNEL_WORDS, type ChannelView, type NotifyTestView } from "../../api/notify.ts";
import type { AddCommand, Finish } from "../command.ts";
import { EXIT, type Deps } from "../deps.ts";
import { printRows, type Column } from "../output/rows.ts";
import { harmless } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl notify list
  pawl notify test                  a message through every channel of this project
  pawl notify test --kind slack

Channels are [[notify]] sections of pawl.toml; their addresses are in variables named there.`;

export const addNotify: AddCommand = (program, { deps, finish }) => {
  const notify = program
    .command("notify")
    .description("list and test notification channels")
    .addHelpText("after", EXAMPLES);
  notify
    .command("list")
    .description("list the channels and their failed deliveries")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "print JSON with all fields")
    .action((options) => list(deps(), options));
  notify
    .command("test")
    .description("send a test message through every channel")
    .addOption(
      new Option("--kind <kind>", "only through channels of this kind").choices(CHANNEL_WORDS),
    )
    .option("--json", "print JSON with all fields")
    .action((options) => tryOut(deps(), { ...options, finish }));
};

const EMPTY = "no channel is configured: write [[notify]] into pawl.toml";

async function list(
  deps: Deps,
  options: { all?: true | undefined; json?: true | undefined },
): Promise<void> {
  const path = options.all === true ? "/v1/notify?all=true" : "/v1/notify";
  const rows = await deps.client.get<ChannelView[]>(path);
  const columns: Column<ChannelView>[] = [
    { title: "channel", tty: ({ name }) => name },
    { title: "kind", tty: ({ kind }) => kind },
    { title: "from", tty: ({ severity }) => severity },
    { title: "waits", tty: ({ pending }) => String(pending), align: "right" },
    { title: "lost", tty: ({ given_up: lost }) => String(lost), align: "right" },
    { title: "trouble", tty: ({ trouble }) => harmless(trouble ?? ""), widthMin: 20 },
  ];
  printRows(deps, rows, { columns, json: options.json, empty: EMPTY });
}

async function tryOut(
  deps: Deps,
  options: { kind?: string | undefined; json?: true | undefined; finish: Finish },
): Promise<void> {
  const { kind, json } = options;
  const body = kind === undefined ? {} : { kind };
  const rows = await deps.client.post<NotifyTestView[]>("/v1/notify/test", body);
  const columns: Column<NotifyTestView>[] = [
    { title: "channel", tty: ({ name }) => name },
    { title: "kind", tty: ({ kind: one }) => one },
    { title: "result", tty: ({ trouble }) => harmless(trouble ?? "sent"), widthMin: 20 },
  ];
  printRows(deps, rows, { columns, json, empty: EMPTY });
  if (rows.some(({ trouble }) => trouble !== null)) options.finish(EXIT.failed);
}
