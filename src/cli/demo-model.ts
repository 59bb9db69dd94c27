// The demo's agent: the built-in one, or a program of the user's against a stub of the model. The
// stub stands in for an account, so nothing of the user's login is used or sent anywhere.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { RUNTIMES } from "../adapters/runtimes.ts";
import { hasCode } from "../lib/error-code.ts";
import { OperationError } from "../lib/operation-error.ts";

type Demo = NonNullable<(typeof RUNTIMES)[number]["demo"]>;

/** What works in a demo; without `stub` the built-in agent. */
export type DemoAgent = { name: string; opening: string; stub?: { program: string; demo: Demo } };

const BUILT_IN: DemoAgent = {
  name: "script",
  opening: "The agents need no model and no account: they run the shell blocks of their issues.",
};

export const DEMO_AGENTS: readonly DemoAgent[] = [
  BUILT_IN,
  ...RUNTIMES.flatMap(({ name, program = name, demo }) =>
    demo === undefined ? [] : [{ name, opening: demo.opening, stub: { program, demo } }],
  ),
];

export const demoAgent = (name: string): DemoAgent =>
  DEMO_AGENTS.find((agent) => agent.name === name) ?? BUILT_IN;

const VERSION_TIMEOUT_MS = 10_000;

/** [agent] of the demo's pawl.toml, for a scratch folder that stands for the user's home. */
export function agentSection(
  agent: DemoAgent,
  place: { home: string; url: string | undefined; more?: string },
): string {
  const { home, url, more = "" } = place;
  const section = `[agent]\nruntime = ${JSON.stringify(agent.name)}\n${more}`;
  if (agent.stub === undefined || url === undefined) return section;
  const env = { HOME: home, ...agent.stub.demo.env({ home, stub: url }) };
  const { settings = {} } = agent.stub.demo;
  return `${section}\n[agent.env]\n${keys(env)}\n[agent.${agent.name}]\n${keys(settings)}`;
}

const keys = (values: Record<string, string>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
    .join("");

/** What the program asks everyone at the first start has been answered in the scratch home. */
export function settleIn(
  { stub }: DemoAgent,
  place: { home: string; url: string | undefined },
): void {
  const { home, url = "" } = place;
  for (const [path, text] of Object.entries(stub?.demo.files({ home, stub: url }) ?? {})) {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  }
}

export function requireProgram({ program, demo }: NonNullable<DemoAgent["stub"]>): void {
  const asked = spawnSync(program, ["--version"], { stdio: "ignore", timeout: VERSION_TIMEOUT_MS });
  // On a busy machine a program of 200 MB takes its time: it is there.
  if (asked.status === 0 || hasCode(asked.error, ["ETIMEDOUT"])) return;
  throw new OperationError(`there is no \`${program}\` on the PATH`, {
    code: "no-agent",
    hint: `install it: \`${demo.install}\`; or leave out --agent`,
  });
}
