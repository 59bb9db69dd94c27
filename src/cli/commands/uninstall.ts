// `pawl uninstall`: shows what Pawl keeps on this machine, and removes it with --yes. Repositories
// and their pawl.toml are not touched, and neither is the program itself.
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import type { AgentView } from "../../api/agents.ts";
import type { StatusView } from "../../api/runs.ts";
import { pawlHome, runtimeFolder } from "../../config/home.ts";
import { OperationError } from "../../lib/operation-error.ts";
import type { AddCommand } from "../command.ts";
import type { Deps } from "../deps.ts";
import { demos } from "../demo-clean.ts";
import { hasEnded } from "../has-ended.ts";
import { launcher, ownFile } from "../own-command-text.ts";
import { linksInto } from "../links-into.ts";
import { removeIfEmpty } from "../remove-if-empty.ts";
import { printJson } from "../output/rows.ts";
import { whileWorking } from "../output/while-working.ts";
import { wrapped } from "../output/wrap.ts";
import { pathLine } from "../path-line.ts";
import { unitFiles } from "./up-by-systemd.ts";

const EXAMPLES = `
Examples:
  pawl uninstall           shows what would be removed
  pawl uninstall --yes     removes it

This deletes issues of Pawl's own tracker, checkpoints, logs and costs. Your repositories, their
pawl.toml and landed work stay as they are.`;

export const addUninstall: AddCommand = (program, { deps }) => {
  program
    .command("uninstall")
    .description("remove what Pawl keeps on this machine")
    .option("--yes", "remove it; without this, only show it")
    .option("--json", "print JSON")
    .action((options) => uninstall(deps(), options))
    .addHelpText("after", EXAMPLES);
};

const UNLANDED = "that has not landed: ";

/** With the first of those that would be lost, as an example. */
function keeping(what: string): string {
  const [first] = (what.split(UNLANDED)[1] ?? "").split(",");
  return `to keep this work, run \`pawl checkpoint restore ${first} --to FOLDER\` for each of them, in its project's repository; \`pawl diff ${first}\` shows what it changed`;
}

type Options = { yes?: true | undefined; json?: true | undefined };

async function uninstall(deps: Deps, options: Options): Promise<void> {
  const paths = traces(deps);
  const isRemoved = options.yes === true;
  const { refused, lost, pushed } = await whileWorking(
    deps,
    { what: "looking at this factory" },
    () => look(deps, { paths, isRemoved }),
  );
  if (isRemoved) remove(deps, paths);
  if (options.json === true) return printJson(deps, { removed: isRemoved, paths, lost });
  const [removes, loses] = isRemoved ? ["removed", "lost"] : ["would remove", "would lose"];
  for (const path of paths) deps.stdout(wrapped(deps, `${removes} ${path}\n`));
  for (const what of lost) deps.stdout(wrapped(deps, `${loses} ${what}\n`));
  const work = lost.find((what) => what.includes(UNLANDED));
  if (!isRemoved && work !== undefined) deps.stderr(`${keeping(work)}\n`);
  const left = demos();
  for (const { folder } of left) {
    const command = isRemoved ? ownFile() : launcher(deps);
    deps.stderr(`the demo in ${folder} is still there: run \`${command} demo --clean\`\n`);
  }
  deps.stderr(`${closing({ paths, isRemoved, refused, hasDemo: left.length > 0 })}\n`);
  if (!isRemoved) return;
  if (paths.some((path) => path.endsWith(".service")))
    deps.stderr("run `systemctl --user daemon-reload` so that systemd forgets the unit\n");
  for (const line of [...pushed, ...pathLinesLeft(deps, paths), ...completionsLeft(deps)])
    deps.stderr(`${line}\n`);
}

/** The folder of sockets goes with the last factory of this user. */
function remove(deps: Deps, paths: string[]): void {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
  removeIfEmpty(dirname(runtimeFolder(deps.env, pawlHome(deps.env))));
}

type Plan = { paths: string[]; isRemoved: boolean };

async function look(deps: Deps, { paths, isRemoved }: Plan) {
  const refused = await refusal(deps);
  if (isRemoved && refused !== undefined) throw cannotUninstall(refused);
  if (!paths.includes(pawlHome(deps.env))) return { refused, lost: [], pushed: [] };
  return { refused, lost: await losses(deps), pushed: await branchesLeft(deps) };
}

/** Of work that has not landed, where Pawl pushes: a remote is not this machine. */
async function branchesLeft(deps: Deps): Promise<string[]> {
  const { projects, runs } = await deps.client.get<StatusView>("/v1/status?all=true");
  return projects.flatMap(({ name, is_pushed: isPushed }) => {
    const own = runs.filter((run) => run.project === name && run.outcome !== "landed");
    const branches = own.filter(({ head }) => head !== null).map(({ branch }) => branch);
    if (isPushed !== true || branches.length === 0) return [];
    const listed = [...new Set(branches)].join(", ");
    return [
      `branches of ${name} that may still be on its remote: ${listed} (\`git push origin --delete BRANCH\` deletes one)`,
    ];
  });
}

const cannotUninstall = ({ why, hint }: Refusal): OperationError =>
  new OperationError(`cannot uninstall: ${why}`, { code: "in-use", hint });

type End = Plan & { refused: Refusal | undefined; hasDemo: boolean };

function closing({ paths, isRemoved, refused, hasDemo }: End): string {
  if (paths.length === 0) return "there is nothing to remove";
  if (!isRemoved && refused !== undefined) {
    return `nothing was removed, and --yes would be refused now: ${refused.why}\n${refused.hint}`;
  }
  if (!isRemoved) return "nothing was removed yet: run `pawl uninstall --yes` to remove it";
  const only = hasDemo ? "then the program itself is left" : "only the program itself is left";
  const checkout = dirname(ownFile());
  return existsSync(join(checkout, "src/cli/main.ts"))
    ? `${only}: delete its checkout ${checkout}`
    : `${only}: run \`npm uninstall -g pawl\` (npm keeps what it downloaded in ~/.npm)`;
}

/** What the user wrote at the request of `pawl link`: Pawl changes no file of the shell. */
function pathLinesLeft(deps: Deps, removed: string[]): string[] {
  const user = deps.env["HOME"] ?? homedir();
  return removed
    .filter((path) => basename(path) === "pawl")
    .flatMap((path) => {
      const { file, line } = pathLine(deps, dirname(path));
      const shellFile = join(user, file.slice("~/".length));
      const isThere = existsSync(shellFile) && readFileSync(shellFile, "utf8").includes(line);
      return isThere ? [`${file} still has the line for \`pawl link\`:\n  ${line}`] : [];
    });
}

/** Where the help of `pawl completion` says to put its script. */
const COMPLETIONS = [
  ".local/share/bash-completion/completions/pawl",
  ".zfunc/_pawl",
  ".config/fish/completions/pawl.fish",
];

const completionsLeft = ({ env }: Deps): string[] =>
  COMPLETIONS.map((path) => join(env["HOME"] ?? homedir(), path))
    .filter((path) => existsSync(path))
    .map((path) => `the completion script ${path} is still there: delete it`);

/** What a person may want to keep. `pawl project remove` would keep the work; here it is lost. */
async function losses(deps: Deps): Promise<string[]> {
  const home = pawlHome(deps.env);
  const { plannedRemovals } = await import("../in-process.ts");
  const place = { home, runtime: runtimeFolder(deps.env, home), version: deps.version };
  const works = (await plannedRemovals(place)).flatMap(({ project, unlanded, restored }) => [
    ...(unlanded.length > 0 ? [`work of ${project} ${UNLANDED}${unlanded.join(", ")}`] : []),
    ...(restored === null ? [] : [`what was restored into ${restored}`]),
  ]);
  const removed = join(home, "removed");
  const kept = existsSync(removed) ? readdirSync(removed).toSorted() : [];
  return [
    ...works,
    ...kept.map((name) => `${join(removed, name)}, kept from a project that was removed`),
    "issues of Pawl's own tracker, checkpoints, logs and costs",
  ];
}

function traces(deps: Deps): string[] {
  const user = deps.env["HOME"] ?? homedir();
  const home = pawlHome(deps.env);
  const cache = deps.env["XDG_CACHE_HOME"] ?? join(user, ".cache");
  const links = [...new Set([tmpdir(), "/tmp"])].flatMap((folder) => linksInto(folder, home));
  return [
    ...(isFactory(home, user) ? [home] : []),
    ...[runtimeFolder(deps.env, home), join(cache, "pawl")].filter((path) => existsSync(path)),
    ...links,
    ...unitFiles(deps.env, home),
    ...linksOnPath(deps),
  ];
}

/** Only a folder that Pawl made: PAWL_HOME may be set to anything. */
const isFactory = (home: string, user: string): boolean =>
  existsSync(join(home, "pawl.db")) && !`${user}/`.startsWith(`${home}/`);

/** Those that `pawl link` made for this very Pawl. */
const linksOnPath = (deps: Deps): string[] =>
  [...new Set((deps.env["PATH"] ?? "").split(delimiter))]
    .map((folder) => join(folder, "pawl"))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
    .filter((path) => readlinkSync(path) === ownFile());

type Refusal = { why: string; hint: string };

/** Undefined where it would be done now. */
async function refusal(deps: Deps): Promise<Refusal | undefined> {
  const refuse = (why: string): Refusal => ({
    why,
    hint: "end it with `pawl down --kill-agents`, then run `pawl uninstall --yes`",
  });
  if (await deps.client.daemonRuns()) return refuse("the daemon runs");
  if (!existsSync(join(pawlHome(deps.env), "pawl.db"))) return undefined;
  const agents = await deps.client.get<AgentView[]>("/v1/agents");
  const alive = agents.filter(
    ({ stage, pid }) => stage !== "ended" && pid !== null && !hasEnded(pid),
  );
  const names = alive.map(({ identity }) => identity).join(", ");
  return alive.length > 0 ? refuse(`still at work: ${names}`) : undefined;
}
