// A set-up that fails in a new workspace fails in all of them: the project asks one question, starts
// no other run, and has those that wait try again: after a growing pause, when the settings of
// workspaces change, when a daemon starts, and when a person says so.
import type { Context } from "../context.ts";
import type { ProjectEvent } from "./project-event.ts";
import { runAggregate, type RunId } from "../ids.ts";
import type { SetUpFailure } from "../set-up.ts";
import { tellPerson } from "./ground.ts";
import type { FailedSetUp, Project } from "./project.ts";

type EventOf<K extends ProjectEvent["kind"]> = Extract<ProjectEvent, { kind: K }>;

const RETRY_MS = 30_000;
const RETRY_MAX_MS = 600_000;
/** Before set-up a workspace is cloned and fetched: a large one takes long, but not longer than this. */
const CLONE_MAX_MS = 3_600_000;

const pauseMs = (tries: number): number => Math.min(RETRY_MS * 2 ** tries, RETRY_MAX_MS);

/** What a run says of its set-up, or a person about it. */
export function setUpHeard(
  project: Project,
  event: EventOf<"set-up-failed" | "set-up-passed" | "set-up-answered">,
  context: Context,
): Project {
  switch (event.kind) {
    case "set-up-failed":
      return setUpFailed(project, event, context);
    case "set-up-passed":
      return setUpPassed(project, event.run, context);
    case "set-up-answered":
      return tryNow(project, context);
  }
}

function setUpFailed(
  project: Project,
  { run, failure }: { run: RunId; failure: SetUpFailure },
  context: Context,
): Project {
  const { setUp } = project;
  // Other runs, and the same one tried again: the person knows.
  if (setUp?.failure.why !== failure.why) {
    tellPerson(project, { kind: "set-up", ...failure }, context);
  }
  const { since, tries, waiting } = setUp ?? { since: context.at, tries: 0, waiting: [] };
  const known: FailedSetUp = {
    since,
    failure,
    tries,
    againAt: context.at + pauseMs(tries),
    waiting: [...new Set([...waiting, run])],
    trying: (setUp?.trying ?? []).filter((other) => other !== run),
  };
  return { ...project, setUp: known };
}

/** What has worked for one run will work for the others. */
function setUpPassed(project: Project, run: RunId, context: Context): Project {
  const { setUp } = project;
  if (setUp === undefined) return project;
  tellRuns(
    project,
    setUp.waiting.filter((other) => other !== run),
    context,
  );
  return { ...project, setUp: undefined };
}

/** The settings of workspaces or of the walls around them are others. */
export function withNewSetUp(before: Project, after: Project, context: Context): Project {
  const settings = ({ config }: Project): string =>
    JSON.stringify([config?.workspace, config?.isolation]);
  const isSame = settings(before) === settings(after);
  return isSame ? after : tryNow(after, context);
}

/** A person or a new daemon: what was in the way may be gone. */
export const tryNow = (project: Project, context: Context): Project =>
  tryAgain(project, { tries: 0 }, context);

/** The pause may be over. Where no run is left that could try, the next one is started. */
export function setUpDue(project: Project, context: Context): Project {
  const { setUp } = project;
  if (setUp === undefined || setUp.againAt > context.at) return project;
  if (setUp.waiting.length === 0) return { ...project, setUp: undefined };
  return tryAgain(project, { tries: setUp.tries + 1 }, context);
}

/** Those that try wait no longer: they say what came of it, within the time that it may take. */
function tryAgain(project: Project, { tries }: { tries: number }, context: Context): Project {
  const { setUp, config } = project;
  if (setUp === undefined || config === undefined || setUp.waiting.length === 0) return project;
  tellRuns(project, setUp.waiting, context);
  const againAt = context.at + CLONE_MAX_MS + config.workspace.timeoutMs;
  const trying = [...new Set([...(setUp.trying ?? []), ...setUp.waiting])];
  return { ...project, setUp: { ...setUp, tries, againAt, waiting: [], trying } };
}

function tellRuns({ name, config }: Project, runs: RunId[], { at, output }: Context): void {
  if (config === undefined) return;
  for (const run of runs) {
    const event = { kind: "set-up-wanted", at, config } as const;
    output.tells.push({ to: runAggregate(name, run), event });
  }
}

/** A run that ended waits no longer. Where it was the last that tried, the next one may soon. */
export function withoutWaiting(
  { setUp }: Project,
  { run, at }: { run: RunId; at: number },
): Pick<Project, "setUp"> {
  if (setUp === undefined) return {};
  const isOther = (other: RunId): boolean => other !== run;
  const waiting = setUp.waiting.filter(isOther);
  const trying = (setUp.trying ?? []).filter(isOther);
  const isLeft = waiting.length + trying.length > 0;
  const againAt = isLeft ? setUp.againAt : Math.min(setUp.againAt, at + pauseMs(setUp.tries));
  return { setUp: { ...setUp, againAt, waiting, trying } };
}
