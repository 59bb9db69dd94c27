// `pawl init`: finds out what it can, asks what it may, writes pawl.toml and registers the
// project. It never changes a pawl.toml that is there.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ForgeView } from "../../api/forges.ts";
import type { StatusView } from "../../api/runs.ts";
import { detectProject, type DetectPorts, type Draft } from "../../config/detect.ts";
import { chooseConfig, CONFIG_FILE, configError } from "../../config/load.ts";
import { chosenAgent, protectedFiles, renderConfig, type Choices } from "../../config/render.ts";
import { shellWord } from "../../lib/shell-word.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { detectPorts } from "../detect-ports.ts";
import {
  describeForge,
  lookAtForge,
  prepareForge,
  renderedForge,
  type NamedForge,
} from "../init-forge.ts";
import { usage } from "../options.ts";
import { isolationFor } from "../probe-walls.ts";
import { warnOfAgent } from "../output/agent-warning.ts";
import { scriptLeftOut, type LeftOut } from "../script-left-out.ts";
import { sayTerms } from "../output/terms.ts";
import { paint } from "../output/text.ts";
import { wrapped } from "../output/wrap.ts";

const EXAMPLES = `
Examples:
  pawl init                  asks what it cannot detect
  pawl init --yes            accepts what it detects
  pawl init --dry-run        prints the pawl.toml that it would write`;

type InitOptions = {
  yes?: true | undefined;
  dryRun?: true | undefined;
  manualMerge?: true | undefined;
};

export const addInit: AddCommand = (program, { deps }) => {
  program
    .command("init")
    .description("set up this repository: write pawl.toml and register it")
    .option("-y, --yes", "accept the detected settings without questions")
    .option("--dry-run", "write nothing, print the pawl.toml")
    .option(
      "--manual-merge",
      "switch on manual merge in a Gitea repository, so that PRs end as merged",
    )
    .action((options) => init(deps(), options))
    .addHelpText("after", EXAMPLES);
};

async function init(deps: Deps, options: InitOptions): Promise<void> {
  const ports = detectPorts(deps);
  const draft = await detectProject(deps.cwd, ports);
  const path = join(draft.root, CONFIG_FILE);
  const existing = await ports.readFile(path);
  if (existing !== undefined) {
    const { forge: named, agent, target } = checkExisting(existing);
    deps.stderr(`${path} already exists; Pawl does not change it\n`);
    const forge = named && (await lookAtForge(deps, draft, named));
    if (forge !== undefined) deps.stderr(describeForge(forge));
    if (options.dryRun === true) {
      deps.stdout(existing);
      return;
    }
    if (forge !== undefined) await makeReady(deps, draft, { forge, named, options });
    const files = (await isCommitted(ports, path)) ? [] : [CONFIG_FILE];
    const left = await scriptLeftOut(ports, { root: draft.root, target, command: agent.command });
    await register(deps, draft, publishSteps(files, { left, target, draft }));
    return;
  }
  const forge = await lookAtForge(deps, draft);
  if (forge !== undefined) deps.stderr(describeForge(forge));
  const chosen = await choicesFor(deps, draft, options);
  const isolation = await isolationFor(deps, {
    ...chosenAgent(draft, chosen),
    root: draft.root,
  });
  const choices = { ...chosen, isolation };
  const text = renderConfig(draft, choices, forge && renderedForge(forge));
  if (options.dryRun === true) {
    deps.stdout(text);
    return;
  }
  // `wx`: a file that was written meanwhile is not overwritten either.
  await writeFile(path, text, { flag: "wx" });
  deps.stderr(`wrote ${path}\n`);
  if (isolation.mode === "none") deps.stderr(withoutWalls(isolation));
  const ci = choices.ci ?? draft.testCommands[0];
  deps.stderr(ci === undefined ? `${NO_TESTS}\n` : protection(protectedFiles(ci)));
  if (forge !== undefined) await makeReady(deps, draft, { forge, named: undefined, options });
  const { root, target } = draft;
  const { command = [] } = chosenAgent(draft, choices);
  const left = await scriptLeftOut(ports, { root, target, command });
  await register(deps, draft, publishSteps([CONFIG_FILE], { left, target, draft }));
}

/** As it is now: until then, runs may not see it. */
async function isCommitted(ports: DetectPorts, path: string): Promise<boolean> {
  const { stdout } = await ports.git(["status", "--porcelain", "--", path]);
  return stdout.trim() === "";
}

function withoutWalls({ why, hint }: { why: string; hint?: string }): string {
  const warning = `warning: there will be no walls around agents: ${why}\n`;
  return hint === undefined ? warning : `${warning}hint: ${hint} in ${CONFIG_FILE}\n`;
}

/** Of files that the user did not name, and that the file protects. */
function protection(files: readonly string[]): string {
  if (files.length === 0) return "";
  return `protected: ${files.join(", ")} (changes need your approval)\n`;
}

/** Labels, and manual merge where a person wants it. */
async function makeReady(
  deps: Deps,
  draft: Draft,
  at: { forge: ForgeView; named: NamedForge | undefined; options: InitOptions },
): Promise<void> {
  const { forge, named, options } = at;
  if (forge.token === null || forge.problems.length > 0) return;
  const isWanted = forge.merges === "switchable" && (await wantsMerges(deps, forge, options));
  await prepareForge(deps, draft, { view: forge, named, showMerges: isWanted });
}

async function wantsMerges(
  deps: Deps,
  { repo }: ForgeView,
  options: InitOptions,
): Promise<boolean> {
  if (options.manualMerge === true) return true;
  if (options.yes !== true && deps.canAsk) {
    const { askMerges } = await import("../ask-choices.ts");
    return askMerges(repo);
  }
  deps.stderr(`${SHOWS_CLOSED}: \`pawl init --manual-merge\` switches it on\n`);
  return false;
}

/** An agent would work in vain: its branch could never pass. */
const NO_TESTS = `note: Pawl found no command that runs your tests, so no branch can land yet.
Open pawl.toml and write the command into [ci], for example command = "make test".
If there is nothing to test, write none = true there instead.`;

const SHOWS_CLOSED =
  "Gitea will show landed PRs as closed, not as merged, because manual merge is off";

type Existing = {
  forge?: NamedForge | undefined;
  agent: { command: string[] };
  target: string;
};

function checkExisting(text: string): Existing {
  const chosen = chooseConfig({ atTarget: undefined, inCheckout: text });
  if (chosen.kind !== "valid") throw configError(chosen);
  return chosen.config;
}

async function choicesFor(deps: Deps, draft: Draft, options: InitOptions): Promise<Choices> {
  if (options.yes === true || (options.dryRun === true && !deps.canAsk)) return {};
  if (!deps.canAsk) {
    throw usage(
      "cannot ask how to set up this project: there is no terminal",
      "--yes accepts the detected settings, --dry-run shows them",
    );
  }
  const { askChoices } = await import("../ask-choices.ts");
  return askChoices(draft);
}

/** `left`: an agent's script that the target lacks; every agent would crash without it. */
function publishSteps(
  files: readonly string[],
  { left, target, draft }: { left: LeftOut | undefined; target: string; draft: Draft },
): string[][] {
  const toCommit = [
    ...files,
    ...(left?.isInCheckout === true && !left.isCommitted ? [left.script] : []),
  ];
  if (toCommit.length > 0) {
    return [[commitCommand(toCommit, draft), toCommit.length === 1 ? "commit it" : "commit them"]];
  }
  return left?.isCommitted === true
    ? [[`git push origin ${typedWord(target)}`, `push ${left.script}`]]
    : [];
}

const typedWord = (word: string): string => (/^[\w./-]+$/.test(word) ? word : shellWord(word));

function commitCommand(files: readonly string[], { remote }: Draft): string {
  const push = remote === undefined ? "" : " && git push";
  return `git add ${files.map(typedWord).join(" ")} && git commit -m ${shellWord(`Add ${files[0]}`)}${push}`;
}

async function register(deps: Deps, draft: Draft, publish: string[][]): Promise<void> {
  if (deps.isTty) deps.stderr("registering the project …\n");
  const project = await deps.client.post<{ name: string; root: string }>("/v1/projects", {
    folder: draft.root,
  });
  deps.stdout(wrapped(deps, `registered ${project.name} (${project.root})\n`));
  const { projects } = await deps.client.get<StatusView>("/v1/status");
  const known = projects.find(({ name }) => name === project.name);
  if (known !== undefined) {
    await sayTerms(deps, known);
    await warnOfAgent(deps, known.name);
  }
  const steps = [
    ...publish,
    ['pawl issue add --title "…" --body-file FILE', "add an issue"],
    (await deps.client.daemonRuns())
      ? ["pawl top", "watch: the daemon works on it"]
      : ["pawl run", "work on it, and watch"],
  ];
  const widest = Math.max(...steps.map(([command = ""]) => command.length));
  // A description that does not fit beside the longest command would break into the next line.
  const isWide = steps.some(([, what = ""]) => widest + what.length + 4 > deps.columns);
  const lines = steps.map(([command = "", what = ""]) =>
    isWide
      ? `  ${paint(deps, "cyan", command)}\n`
      : `  ${paint(deps, "cyan", command.padEnd(widest))}  ${what}\n`,
  );
  deps.stderr(`next:\n${lines.join("")}`);
}
