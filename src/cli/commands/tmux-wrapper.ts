// `pawl tmux-wrapper`: spawn, name, list and kill monitored sessions. Targets are exact,
// and nothing of another project is touched unless it is asked for.
import type { Command } from "@commander-js/extra-typings";
import type { AddCommand, Finish } from "../command.ts";
import { EXIT, type Deps } from "../deps.ts";
import { building, MONITORED_AGENTS, openPlaceFor, spawning, stored } from "../monitoring-door.ts";
import { usage } from "../options.ts";
import { requireState } from "../state-option.ts";

const EXAMPLES = `
Examples:
  name=$(pawl tmux-wrapper spawn create 5 5.3)
  pawl tmux-wrapper spawn dev 5 5.3 --command "my-agent 5.3" --cycle 2
  pawl tmux-wrapper build-cmd review 5.3 "look at the SQL first"
  pawl tmux-wrapper kill "$name"

Steps: create, dev, auto, review, retro. AI_AGENT (${MONITORED_AGENTS.join(", ")}) or AI_COMMAND (your own program)
choose the agent. docs/monitoring.md has the whole workflow.`;

type Context = { deps: () => Deps; finish: Finish };

export const addTmuxWrapper: AddCommand = (program, context) => {
  const wrapper = program
    .command("tmux-wrapper")
    .description("spawn, list and kill monitored sessions")
    .addHelpText("after", EXAMPLES);
  addSpawn(wrapper as unknown as Command, context);
  addName(wrapper as unknown as Command, context);
  addBuild(wrapper as unknown as Command, context);
  addLists(wrapper as unknown as Command, context);
  addKill(wrapper as unknown as Command, context);
};

function addSpawn(wrapper: Command, { deps }: Context): void {
  wrapper
    .command("spawn")
    .description("start a session and print its name")
    .argument("<step>")
    .argument("<epic>")
    .argument("<story>", "5.3, 5-3 or 5-3-slug")
    .option("--command <shell>", "what runs in it (default: build-cmd of the step)")
    .option("--cycle <n>", "of a review")
    .option("--agent <name>", MONITORED_AGENTS.join(" or "))
    .option(
      "--state-file <file>",
      "the orchestration's state document; its policy must be unchanged",
    )
    .action(async (...[step, epic, story, options]) => {
      const { now, ...rest } = deps();
      if (options.command?.trim() === "") throw usage("--command is empty");
      await requireState({ now, ...rest }, options.stateFile);
      const { spawnSession } = await spawning();
      const place = await openPlaceFor({ now, ...rest });
      const { command, cycle, agent } = options;
      const wanted = { step, epic, story, command, cycle, agent, now: now() };
      rest.stdout(`${await spawnSession(place, wanted)}\n`);
    });
}

function addName(wrapper: Command, { deps }: Context): void {
  wrapper
    .command("name")
    .description("print the name a session would get now")
    .argument("<step>")
    .argument("<epic>")
    .argument("<story>")
    .argument("[cycle]", "the original name of --cycle")
    .option("--cycle <n>")
    .action(async (...[step, epic, story, place, options]) => {
      const at = deps();
      const { nameFor } = await spawning();
      const cycle = options.cycle ?? place;
      const parts = { step, epic, story, cycle, now: at.now() };
      at.stdout(`${nameFor(await openPlaceFor(at), parts)}\n`);
    });
}

function addBuild(wrapper: Command, { deps }: Context): void {
  wrapper
    .command("build-cmd")
    .description("print the shell command that works on a step")
    .argument("<step>")
    .argument("<story>")
    .argument("[extra...]", "additional instructions")
    .option("--agent <name>", MONITORED_AGENTS.join(" or "))
    .option(
      "--state-file <file>",
      "the orchestration's state document; its policy must be unchanged",
    )
    .action(async (...[step, story, extra, { agent, stateFile }]) => {
      const { env, stdout } = deps();
      await requireState(deps(), stateFile);
      const { buildCommand } = await building();
      stdout(`${buildCommand(env, { step, story, agent, extra: extra.join(" ") })}\n`);
    });
}

function addLists(wrapper: Command, { deps, finish }: Context): void {
  wrapper
    .command("list")
    .description("sessions that were not killed yet, one per line")
    .option("--project-only", "only those of this checkout", false)
    .action(async ({ projectOnly }) => {
      const at = deps();
      const { listSessions } = await stored();
      const sessions = await listSessions(await openPlaceFor(at), { projectOnly });
      at.stdout(sessions.map(({ name }) => `${name}\n`).join(""));
    });
  wrapper
    .command("exists")
    .argument("<name>")
    .description("true or false")
    .action(async (name) => {
      const at = deps();
      const { findSession } = await stored();
      const found = await findSession(await openPlaceFor(at), name);
      at.stdout(`${found !== undefined}\n`);
      if (found === undefined) finish(EXIT.failed);
    });
}

function addKill(wrapper: Command, { deps, finish }: Context): void {
  wrapper
    .command("kill")
    .description("end one session and everything it started")
    .argument("<name>", "exactly")
    .action(async (name) => {
      const at = deps();
      const place = await openPlaceFor(at);
      const session = await (await stored()).findSession(place, name);
      if (session === undefined) return;
      if (session.hash !== place.hash) {
        at.stderr(`pawl: ${name} belongs to ${session.root}\nhint: kill it from there\n`);
        finish(EXIT.failed);
        return;
      }
      await (await spawning()).endSession(place, session);
    });
  wrapper
    .command("kill-all")
    .description("end all monitored sessions")
    .option("--project-only", "only those of this checkout", false)
    .action(async ({ projectOnly }) => {
      const at = deps();
      const place = await openPlaceFor(at);
      const { listSessions } = await stored();
      const { endSession } = await spawning();
      const sessions = await listSessions(place, { projectOnly });
      for (const session of sessions) await endSession(place, session);
      at.stdout(`Killed ${sessions.length} sessions\n`);
    });
}
