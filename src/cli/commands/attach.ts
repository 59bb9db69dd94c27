// `pawl attach REF`: connects your terminal to an agent's.
import type { AddCommand, Finish } from "../command.ts";
import { EXIT, type Deps } from "../deps.ts";
import { pawlHome, runtimeFolder, tmuxSocket } from "../../config/home.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { usage } from "../options.ts";

const EXAMPLES = `
Example:
  pawl attach 7              leave with Ctrl-b d; the agent keeps running

Inside a tmux of your own, leave with Ctrl-b Ctrl-b d.

While a person is attached, Pawl does not nudge, restart or end the session.`;

export const addAttach: AddCommand = (program, { deps, finish }) => {
  program
    .command("attach")
    .description("attach to an agent's terminal")
    .argument("<ref>", "an issue, a PR, a branch, a run or an identity")
    .action((ref) => attach(deps(), ref, finish))
    .addHelpText("after", EXAMPLES);
};

async function attach(deps: Deps, ref: string, finish: Finish): Promise<void> {
  if (!deps.isTty) {
    throw usage(
      "cannot attach: stdout is not a terminal",
      `\`pawl logs ${ref}\` shows what it wrote`,
    );
  }
  const path = `/v1/runs/${encodeURIComponent(ref)}/attach`;
  const { session } = await deps.client.get<{ session?: unknown }>(path);
  deps.stderr(`${howToLeave(deps.env)}\n`);
  const code = await deps.runInTerminal(attachArgv(deps.env, session));
  finish(code === 0 ? EXIT.ok : EXIT.failed);
}

/** Inside another tmux, that one takes the first Ctrl-b. */
const howToLeave = ({ TMUX: around = "" }: Deps["env"]): string =>
  around === ""
    ? "Leave with Ctrl-b d: the agent keeps running."
    : "Leave with Ctrl-b Ctrl-b d (you are inside tmux): the agent keeps running.";
const HOW_TO_LEAVE_MS = 10_000;

/** As tmux itself allows them, without what a target could give a meaning to. */
const SESSION_NAME = /^\w[\w-]{0,199}$/;

/** The answer of the daemon is only a name, and is never run: the command is built here. */
export function attachArgv(env: Deps["env"], session: unknown): string[] {
  if (typeof session !== "string" || !SESSION_NAME.test(session)) {
    throw new OperationError(
      `cannot attach: the daemon's answer names no tmux session (${String(JSON.stringify(session)).slice(0, 100)})`,
      { code: "bad-answer", hint: "`pawl down` and `pawl up` start a daemon of this version" },
    );
  }
  const socket = tmuxSocket(runtimeFolder(env, pawlHome(env)));
  const attached = ["tmux", "-u", "-S", socket, "attach-session", "-t", `=${session}`];
  // In the last line of the terminal, until the first key: a session shows no status line.
  const shown = ["set-option", "-t", `=${session}:`, "display-time", String(HOW_TO_LEAVE_MS)];
  return [...attached, ";", ...shown, ";", "display-message", howToLeave(env)];
}
