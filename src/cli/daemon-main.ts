// Runs a factory in this very process: as the daemon, or in the foreground for `pawl run` and
// `pawl demo`. The only door from the CLI to the daemon's own code besides in-process.ts.
import { flushCompileCache } from "node:module";
import { constants } from "node:os";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import type { StatusView } from "../api/runs.ts";
import { pawlHome, runtimeFolder } from "../config/home.ts";
import { makeHome } from "../config/make-folder.ts";
import { endAgentsHere } from "../daemon/sessions/end-agents.ts";
import { everyProject, type Factory, type FactoryOptions } from "../daemon/host/factory.ts";
import { heldSecrets, withoutSecrets } from "../daemon/host/held-secrets.ts";
import { createLog, type Log } from "../daemon/host/log.ts";
import { pathsOf } from "../daemon/host/paths.ts";
import { serveFactory } from "../daemon/host/serve.ts";
import { worksOf } from "../daemon/views/progress.ts";
import { BacklogDigests } from "../daemon/views/backlog-digests.ts";
import { terminalOf } from "../daemon/routes/terminal-of.ts";
import { statusView, type StatusContext } from "../daemon/views/status.ts";
import { assert } from "../lib/assert.ts";
import { buildName } from "./build-name.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export type Foreground = {
  /** The project that was registered or found, undefined for all. */
  project: string | undefined;
  /** The status before Pawl did anything. */
  first: StatusView;
  status(): Promise<StatusView>;
  onChange(listener: () => void): () => void;
  /** How the last session of `project/run` ended, where it was seen: "exit 2", "SIGKILL". */
  lastExit(run: string): string | undefined;
  /** Looks at the outside once more; resolves when what it saw is in the journal. */
  look(): Promise<void>;
  ended: Promise<void>;
  /** It was asked to end: what it is asked from now on may fail. */
  isEnding(): boolean;
  close(): Promise<void>;
};

type StartOptions = {
  env: Environment;
  version: string;
  folder: string | undefined;
  project: string | undefined;
  /** A signal ends the agents too; these tell the person. Undefined leaves agents running. */
  onInterrupt?: { began: () => void; ended: () => void };
  /** A signal ends it before its work is done: the exit code says so. */
  untilIdle?: true | undefined;
  /** A signal has ended Pawl and left the agents running; the project that was served. */
  onLeft?: ((project: string | undefined) => Promise<void>) | undefined;
  /** Called before the first look, which takes long in a large repository. */
  onOpened?: (opened: Pick<Foreground, "status">) => void;
};

type Facts = Pick<StatusContext, "store" | "paths" | "now" | "works" | "terminal">;

const factsOf = (factory: Factory): Facts => ({
  store: factory.store,
  paths: factory.paths,
  now: factory.ports.clock.now(),
  works: (name) => worksOf(factory.ports, name),
  terminal: terminalOf(factory),
});

/** The first file that Pawl writes. */
function openLog(home: string, runtime: string): Log {
  makeHome(home);
  return createLog(pathsOf(home, runtime).log, heldSecrets(home).redact);
}

/** `folder`: serve the project of this folder only; undefined serves all. */
export async function startForeground(options: StartOptions): Promise<Foreground> {
  const { env, version, folder, onInterrupt } = options;
  const home = pawlHome(env);
  const runtime = runtimeFolder(env, home);
  const log = openLog(home, runtime);
  let only = options.project;
  const scope = (name: string): boolean => only === undefined || name === only;
  const register = folder === undefined || only !== undefined ? {} : { register: folder };
  const onSignal = endOnSignals((signal) => {
    if (onInterrupt !== undefined) return EXIT_INTERRUPTED;
    return options.untilIdle === true ? EXIT_SIGNALLED + constants.signals[signal] : 0;
  });
  const digests = new BacklogDigests();
  const statusOf = (factory: Factory) => async (): Promise<StatusView> => {
    const view = await statusView({
      digests,
      ...factsOf(factory),
      version,
      daemon: { pid: process.pid, since: "", version },
      project: only,
    });
    return withoutSecrets(view, (text) => factory.ports.redact(text));
  };
  let first: StatusView | undefined;
  const onOpened = async (factory: Factory): Promise<void> => {
    const status = statusOf(factory);
    first = await status();
    options.onOpened?.({ status });
  };
  const build = buildName(version);
  const place = { home, runtime, version, build, log, scope, onOpened, ...register };
  const served = await serveFactory({ ...place, foreground: true });
  const status = statusOf(served.factory);
  let signalled: Promise<void> | undefined;
  onSignal(() => {
    const onLeft = (): Promise<void> | undefined => options.onLeft?.(only);
    signalled =
      onInterrupt === undefined ? leaveAgents(served, onLeft) : endWithAgents(served, onInterrupt);
    return signalled;
  });
  const { factory } = served;
  const exits = followExits(factory);
  if (folder !== undefined && only === undefined) only = await factory.register(folder);
  assert(first !== undefined, "the factory was opened");
  return {
    project: only,
    first,
    status,
    onChange: (listener) => factory.engine.onCommitted(listener),
    lastExit: (run) => exits.get(run),
    look: () => lookAt(factory, scope),
    ended: served.ended,
    isEnding: () => served.why() !== undefined,
    // After a signal, the process exits when all is said: the command must not end before.
    close: () => signalled ?? served.close(),
  };
}

async function lookAt({ store, engine }: Factory, scope: FactoryOptions["scope"]): Promise<void> {
  for (const { state } of await store.aggregates({ kind: "project", isBrief: true })) {
    if (state.kind === "project" && scope(state.name)) await engine.observe.look(state.name);
  }
}

type Served = Awaited<ReturnType<typeof serveFactory>>;

async function leaveAgents(served: Served, onLeft: () => Promise<void> | undefined): Promise<void> {
  await served.close();
  await onLeft();
}

async function endWithAgents(
  served: Served,
  { began, ended }: NonNullable<StartOptions["onInterrupt"]>,
): Promise<void> {
  began();
  await served.endWithAgents();
  ended();
}

/** The next session forgets how the one before it ended, so each is noted as it happens. */
function followExits(factory: Factory): ReadonlyMap<string, string> {
  const exits = new Map<string, string>();
  factory.engine.onCommitted(({ changed }) => {
    for (const { state } of changed) {
      if (state.kind !== "run" || state.session?.verdict === undefined) continue;
      const { code, signal } = state.session.exit ?? { code: null, signal: null };
      const name = `${state.project}/${state.id}`;
      if (signal === null && code === null) exits.delete(name);
      else exits.set(name, signal ?? `exit ${code}`);
    }
  });
  return exits;
}

/** Ends all agents where no daemon runs. */
export function endAgentsWithoutDaemon(options: {
  env: Environment;
  version: string;
}): Promise<void> {
  const home = pawlHome(options.env);
  const runtime = runtimeFolder(options.env, home);
  return endAgentsHere({ home, runtime, version: options.version });
}

/** Another daemon has the factory. The keeper knows this code and does not try again. */
export const EXIT_BUSY = 75;

/** It has grown too large, and restarts. The keeper knows this code too. */
const EXIT_RENEWED = 76;

/** As shells say it of a program that a signal ended: this, and the signal's number. */
const EXIT_SIGNALLED = 128;

/** As shells say it of a program that Ctrl-C ended. */
const EXIT_INTERRUPTED = 130;

/** A person ended it. The keeper exits too, without a further look. */
const EXIT_STOPPED = 77;

/** The daemon process that `pawl up` starts under its keeper. Resolves to its exit code. */
export async function runDaemon(options: { env: Environment; version: string }): Promise<number> {
  const home = pawlHome(options.env);
  const runtime = runtimeFolder(options.env, home);
  const log = openLog(home, runtime);
  const onSignal = endOnSignals();
  const lastExit = Number(options.env["PAWL_LAST_EXIT"] ?? "");
  const kept =
    options.env["PAWL_KEPT"] === "1"
      ? { lastExit: lastExit > 0 ? lastExit : undefined }
      : undefined;
  const { version } = options;
  const build = buildName(version);
  const place = { home, runtime, version, build, log, scope: everyProject, kept };
  const served = await serveFactory(place);
  onSignal(() => served.close());
  holdLittle();
  // The socket keeps the process alive until it is closed.
  await served.ended;
  if (served.why() === "renewed") return EXIT_RENEWED;
  return kept !== undefined && served.why() === "stopped" ? EXIT_STOPPED : 0;
}

/**
 * A daemon mostly waits, and lives for weeks. Without this, V8 keeps what fifty agents needed at their
 * start: 165 MB instead of 108. Not on Node's command line: V8 takes no cached code of other flags, so
 * that Node's own modules and Pawl's would be compiled again, a quarter of each start. For the same
 * reason, what was compiled so far is cached before.
 */
function holdLittle(): void {
  flushCompileCache();
  setFlagsFromString("--optimize-for-size");
}

const END_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
type EndSignal = (typeof END_SIGNALS)[number];

/** Listens from the first moment on; a signal that comes during the start is obeyed right after it. */
function endOnSignals(
  codeOf: (signal: EndSignal) => number = () => 0,
): (close: () => Promise<void>) => void {
  let signalled: EndSignal | undefined;
  let end: ((signal: EndSignal) => void) | undefined;
  for (const signal of END_SIGNALS) {
    process.once(signal, () => {
      signalled = signal;
      end?.(signal);
    });
  }
  return (close) => {
    end = (signal) => {
      close().then(
        () => process.exit(codeOf(signal)),
        (error: unknown) => {
          process.stderr.write(`pawl: ${String(error)}\n`);
          process.exit(1);
        },
      );
    };
    if (signalled !== undefined) end(signalled);
  };
}
