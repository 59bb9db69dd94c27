// `pawl run`: works on the backlog in the foreground and shows what happens.
import type { StatusView } from "../../api/runs.ts";
import type { AddCommand } from "../command.ts";
import { EXIT, type Deps, type ExitCode } from "../deps.ts";
import type { Foreground } from "../daemon-main.ts";
import { createStory, needsYou } from "../output/story.ts";
import { paint } from "../output/text.ts";
import { requireTmux } from "../require-tmux.ts";

export const addRun: AddCommand = (program, { deps, finish }) => {
  program
    .command("run")
    .description("work on this project's backlog in the foreground, and show what happens")
    .option(
      "--until-idle",
      "end when nothing is left to do (exit 0), or only a person can go on (exit 8)",
    )
    .option("--all", "all registered projects, not just the one of this folder")
    .addHelpText(
      "after",
      `
Ctrl-C ends Pawl, not the agents: they live on, and the next \`pawl run\` or \`pawl up\` goes on.

Examples:
  pawl run                 until Ctrl-C
  pawl run --until-idle    overnight: everything that can be done, then exit`,
    )
    .action(async (options, command) => {
      const { project } = command.optsWithGlobals() as { project?: string };
      finish(await run(deps(), { ...options, project }));
    });
};

export async function run(
  deps: Deps,
  options: { untilIdle?: true | undefined; all?: true | undefined; project?: string | undefined },
): Promise<ExitCode> {
  await requireTmux(deps);
  const { startForeground } = await import("../daemon-main.ts");
  const foreground = await startForeground({
    env: deps.env,
    version: deps.version,
    folder: options.all === true ? undefined : deps.cwd,
    project: options.project,
  });
  try {
    return await work(deps, foreground, options);
  } finally {
    await foreground.close();
  }
}

async function work(
  deps: Deps,
  foreground: Foreground,
  options: { untilIdle?: true | undefined; all?: true | undefined },
): Promise<ExitCode> {
  // What keeps this one project from being worked on at all is said at once.
  if (options.all !== true) await foreground.look();
  deps.stderr(`${paint(deps, "dim", opening(await foreground.status()))}\n`);
  const story = createStory(deps, foreground);
  if (options.untilIdle !== true) {
    await foreground.ended;
    return EXIT.ok;
  }
  const status = await story.untilIdle();
  const waiting = needsYou(status);
  for (const line of waiting) deps.stderr(`${line}\n`);
  return waiting.length === 0 ? EXIT.ok : EXIT.pending;
}

/** Who works on what, and how to leave without harm. */
function opening(status: StatusView): string {
  const projects = status.projects.map(
    ({ name, target, parallel }) => `${name} (onto ${target}, ${parallel} at once)`,
  );
  return `Working on ${projects.join(", ")}. Ctrl-C ends Pawl; agents live on.`;
}
