// Which agent programs are on this machine: their versions, whether they are signed in, and what is
// wrong with them. Programs are asked, side by side: it takes a second or two.
import { RUNTIMES } from "../../adapters/runtimes.ts";
import { run } from "../../adapters/shared/run.ts";
import type { RuntimeView } from "../../api/runtimes.ts";
import { findProgram } from "../../config/find-program.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { lacking, type Runtime } from "../../ports/runtime.ts";
import type { Ports } from "../engine/ports.ts";
import { programEnvironment } from "../host/environment.ts";

const VERSION_TIMEOUT_MS = 10_000;

export const runtimesView = (ports: Pick<Ports, "agent">): Promise<RuntimeView[]> =>
  Promise.all(RUNTIMES.map((runtime) => runtimeView(runtime, ports)));

async function runtimeView(runtime: Runtime, ports: Pick<Ports, "agent">): Promise<RuntimeView> {
  const { name, title, program, tested, abilities, demo } = runtime;
  const agent = ports.agent(name);
  const env = programEnvironment(agent.passEnv ?? []);
  const isFound =
    program !== undefined &&
    (await findProgram(program, { root: "/", path: env["PATH"] })) !== undefined;
  const [version, problems, findings] = isFound
    ? await Promise.all([
        versionOf(program, env),
        agent.problems?.({ command: [], env }),
        agent.inspect?.({ command: [], env }),
      ])
    : [];
  const known = findings ?? [];
  const isAsked = isFound && agent.inspect !== undefined;
  return {
    name,
    title,
    program: program ?? null,
    installed: isFound || (program === undefined && runtime.needsCommand !== true),
    version: version ?? null,
    tested: tested ?? null,
    signed_in: isAsked ? !known.some(({ isSignedOut }) => isSignedOut === true) : null,
    problems: [
      ...(problems ?? []),
      ...known.filter(({ isNote }) => isNote !== true).map(({ what, hint }) => `${what} (${hint})`),
    ],
    notes: known.filter(({ isNote }) => isNote === true).map(({ what }) => what),
    lacks: lacking(abilities),
    install: demo?.install ?? null,
  };
}

/** Every one of them answers `--version` with a line that has its number in it. */
async function versionOf(
  program: string,
  env: Record<string, string>,
): Promise<string | undefined> {
  try {
    const argv = [program, "--version"] as const;
    const limits = { cwd: "/", timeoutMs: VERSION_TIMEOUT_MS, maxBytes: 10_000 };
    const { stdout } = await run({ argv, env, ...limits });
    return /\d+\.\d+\.\d+(?:-[\w.]+)?/.exec(stdout)?.[0];
  } catch (error) {
    if (error instanceof OperationError) return undefined;
    throw error;
  }
}
