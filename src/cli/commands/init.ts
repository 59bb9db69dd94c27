// `pawl init`: finds out what it can, asks what it may, writes pawl.toml and registers the
// project. It never changes a pawl.toml that is there.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ForgeView } from "../../api/forges.ts";
import type { StatusView } from "../../api/runs.ts";
import { detectProject, type Draft } from "../../config/detect.ts";
import { chooseConfig, CONFIG_FILE, configError } from "../../config/load.ts";
import { renderConfig, type Choices } from "../../config/render.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { detectPorts } from "../detect-ports.ts";
import { describeForge, lookAtForge, prepareForge, renderedForge } from "../init-forge.ts";
import { usage } from "../options.ts";
import { sayTerms } from "../output/terms.ts";
import { paint } from "../output/text.ts";

const EXAMPLES = `
Examples:
  pawl init                  asks, where there is something to ask
  pawl init --yes            takes what it finds
  pawl init --dry-run        prints the pawl.toml that it would write`;

type InitOptions = { yes?: true | undefined; dryRun?: true | undefined };

export const addInit: AddCommand = (program, { deps }) => {
  program
    .command("init")
    .description("set up this repository: write pawl.toml and register it")
    .option("-y, --yes", "ask nothing")
    .option("--dry-run", "write nothing, print the pawl.toml")
    .action((options) => init(deps(), options))
    .addHelpText("after", EXAMPLES);
};

async function init(deps: Deps, options: InitOptions): Promise<void> {
  const ports = detectPorts(deps);
  const draft = await detectProject(deps.cwd, ports);
  const path = join(draft.root, CONFIG_FILE);
  const existing = await ports.readFile(path);
  if (existing !== undefined) {
    checkExisting(existing);
    deps.stderr(`${path} is there already and stays as it is\n`);
    if (options.dryRun === true) deps.stdout(existing);
    else await register(deps, draft, { isNew: false });
    return;
  }
  const forge = await lookAtForge(deps, draft);
  if (forge !== undefined) deps.stderr(describeForge(forge));
  const choices = await choicesFor(deps, draft, options);
  const text = renderConfig(draft, choices, forge && renderedForge(forge));
  if (options.dryRun === true) {
    deps.stdout(text);
    return;
  }
  // `wx`: a file that was written meanwhile is not overwritten either.
  await writeFile(path, text, { flag: "wx" });
  deps.stderr(`wrote ${path}\n`);
  if (forge !== undefined && canPrepare(forge)) await prepareForge(deps, draft, forge);
  await register(deps, draft, { isNew: true });
}

const canPrepare = ({ token, problems }: ForgeView): boolean =>
  token !== null && problems.length === 0;

function checkExisting(text: string): void {
  const chosen = chooseConfig({ atTarget: undefined, inCheckout: text });
  if (chosen.kind !== "valid") throw configError(chosen);
}

async function choicesFor(deps: Deps, draft: Draft, options: InitOptions): Promise<Choices> {
  if (options.yes === true || (options.dryRun === true && !deps.canAsk)) return {};
  if (!deps.canAsk) {
    throw usage(
      "cannot ask how to set up this project: there is no terminal",
      "--yes takes what is found, --dry-run shows it",
    );
  }
  const { askChoices } = await import("../ask-choices.ts");
  return askChoices(draft);
}

async function register(deps: Deps, draft: Draft, { isNew }: { isNew: boolean }): Promise<void> {
  const project = await deps.client.post<{ name: string; root: string }>("/v1/projects", {
    folder: draft.root,
  });
  deps.stdout(`registered ${project.name} (${project.root})\n`);
  const { projects } = await deps.client.get<StatusView>("/v1/status");
  const known = projects.find(({ name }) => name === project.name);
  if (known !== undefined) await sayTerms(deps, known);
  const steps = [
    ...(isNew
      ? [["git add pawl.toml && git commit -m 'Add pawl.toml'", "the rules count from the target"]]
      : []),
    ['pawl issue add --title "…"', "ask for something"],
    ["pawl run", "work on it, and watch"],
  ];
  const widest = Math.max(...steps.map(([command = ""]) => command.length));
  const lines = steps.map(
    ([command = "", what = ""]) => `  ${paint(deps, "cyan", command.padEnd(widest))}  ${what}\n`,
  );
  deps.stderr(`next:\n${lines.join("")}`);
}
