// `pawl plugin list|run|log`: a project's and a user's own scripts and prompts behind gates.
import { allProjects, oldAll } from "../options.ts";
import type { PluginRunView, PluginView } from "../../api/plugins.ts";
import { withSpans } from "../../api/spans.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { printRows, type Column } from "../output/rows.ts";
import { harmless, when } from "../output/text.ts";
import { noteWhoActs } from "../output/who-acts.ts";

const EXAMPLES = `
Examples:
  pawl plugin list
  pawl plugin run sweep          even if its gate is closed
  pawl plugin log sweep`;

type ListOptions = { all?: true | undefined; json?: true | undefined };

export const addPlugin: AddCommand = (program, { deps }) => {
  const plugin = program
    .command("plugin")
    .description("list and run your own scripts and prompts")
    .addHelpText("after", EXAMPLES);
  plugin
    .command("list")
    .description("list the plugins of the target branch and your own, with their gates")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "print JSON with all fields")
    .action((options) => list(deps(), options));
  plugin
    .command("run")
    .description("run a plugin now, even if its gate is closed")
    .argument("<name>", "its folder's name")
    .action((name) => runNow(deps(), name));
  plugin
    .command("log")
    .description("show how runs of plugins ended, newest last")
    .argument("[name]", "only of this one")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "print JSON with all fields")
    .action((name, options) => log(deps(), name, options));
};

async function list(deps: Deps, options: ListOptions): Promise<void> {
  const path = options.all === true ? "/v1/plugins?all=true" : "/v1/plugins";
  const plugins = await deps.client.get<PluginView[]>(path);
  const columns: Column<PluginView>[] = [
    { title: "plugin", tty: (one) => one.plugin },
    { title: "from", tty: ({ from }) => from },
    { title: "gate", tty: ({ gate }) => withSpans(harmless(gate)), pipe: ({ gate }) => gate },
    { title: "runs", tty: ({ kind }) => kind ?? "–" },
    {
      title: "last",
      tty: (one) =>
        one.running ? runningWord(one) : one.last_end === null ? "never" : when(deps, one.last_end),
      pipe: (one) => one.last_end ?? "",
    },
    {
      title: "about",
      tty: ({ problem, description }) => harmless(problem ?? description),
      pipe: ({ problem, description }) => problem ?? description,
      widthMin: 15,
    },
    { title: "project", tty: ({ project }) => project },
  ];
  const empty =
    "no plugins found; the deacon looks for plugins/NAME/plugin.md on the target branch";
  printRows(deps, plugins, { columns, json: options.json, empty });
}

async function runNow(deps: Deps, name: string): Promise<void> {
  const path = `/v1/plugins/${encodeURIComponent(name)}/run`;
  const one = await deps.client.post<PluginView>(path, { by: deps.user });
  deps.stderr(`${one.plugin}: ${standing(one)}\n`);
  await noteWhoActs(deps);
}

function standing(one: PluginView): string {
  if (!one.running) return "waits until another plugin has ended";
  const what = one.begun === false ? "starts when a daemon runs" : "running";
  // A gate that is open starts it before the request arrives.
  const { why = null } = one;
  const byGate = why !== null && !why.startsWith("asked for by ");
  return byGate ? `${what}, because its gate was open (${harmless(why)})` : what;
}

const runningWord = ({ begun }: { begun?: boolean | undefined }): string =>
  begun === false ? "not started" : "running";

async function log(deps: Deps, name: string | undefined, options: ListOptions): Promise<void> {
  const query = new URLSearchParams({});
  if (name !== undefined) query.set("plugin", name);
  if (options.all === true) query.set("all", "true");
  const asked = query.size === 0 ? "" : `?${query.toString()}`;
  const runs = await deps.client.get<PluginRunView[]>(`/v1/plugins/log${asked}`);
  const columns: Column<PluginRunView>[] = [
    { title: "plugin", tty: ({ plugin }) => plugin },
    { title: "run", tty: ({ number }) => String(number) },
    {
      title: "result",
      tty: (one) => (one.result === "running" ? runningWord(one) : one.result),
      pipe: ({ result }) => result,
    },
    { title: "started", tty: ({ started_at: at }) => when(deps, at) },
    { title: "why", tty: ({ why }) => harmless(why), pipe: ({ why }) => why },
    { title: "note", tty: ({ note }) => harmless(note), pipe: ({ note }) => note, widthMin: 20 },
  ];
  const whole = { note: "`pawl plugin log --json` shows the whole note" };
  printRows(deps, runs, { columns, json: options.json, empty: "nothing was run yet", whole });
}
