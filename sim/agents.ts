// The agents of the simulated world: they start in a session, work in their workspace, speak by
// files and end. They outlive the daemon. What kind of life one has is drawn when it starts.
import type { ExitRecord } from "../src/ports/terminal.ts";
import {
  changeFor,
  commitWork,
  mergeTheirs,
  nothingLeft,
  rebase,
  startWork,
} from "./agent-work.ts";
import { askForHelp, askInPhase, writePhase } from "./agent-words.ts";
import { RIGHT } from "./askers.ts";
import { leaveLine } from "./hooks.ts";
import { beSilent, meetLimit } from "./limited-models.ts";
import { askModel } from "./model-requests.ts";
import { commitsFor, roleAnswer, roleOf } from "./roles.ts";
import { folderChanged, type Process, type World } from "./world.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A running agent: what it does next, as long as its process lives. */
export type Agent = {
  world: World;
  process: Process;
  deaf: boolean;
  oneShot: boolean;
  linger: boolean;
  /** Messages it has read, moved to cur/ or not. */
  read: Set<string>;
  /** What another writer pushed, as the agent was told. */
  theirs: string | undefined;
};

export function startAgent(world: World, process: Process): void {
  const { faults } = world;
  const agent: Agent = {
    world,
    process,
    deaf: faults.strikes("agentDeaf"),
    oneShot: faults.strikes("agentOneShot"),
    linger: faults.strikes("agentLinger"),
    read: new Set(),
    theirs: toldIn(process.folder.prompt),
  };
  process.isDeaf = agent.deaf;
  leaveLine(world, process);
  if (isDoomed(agent)) crashLater(agent, 5 * MINUTE_MS);
  else if (faults.strikes("agentCrash")) crashLater(agent, 4 * HOUR_MS);
  if (faults.strikes("agentBabble")) babble(agent, 1);
  if (faults.strikes("agentMail")) writeLetters(agent);
  if (faults.strikes("agentHelp")) askForHelp(agent);
  if (faults.strikes("agentFull")) fillUp(agent);
  if (faults.strikes("agentUnkillable")) {
    process.stubbornUntil = world.clock.monotonicMs() + faults.lengthMs(DAY_MS);
  }
  lifeOf(agent).catch((error: unknown) => {
    world.fail("simulator", `an agent broke: ${String(error)}`);
  });
}

async function lifeOf(agent: Agent): Promise<void> {
  const { faults } = agent.world;
  await pause(agent, 2 * SECOND_MS);
  if (faults.strikes("agentMissing")) return exit(agent, { code: 127, signal: null });
  if (faults.strikes("modelSilent")) await beSilent(agent);
  if (!isThere(agent)) return undefined;
  if (faults.strikes("agentHang")) return undefined;
  if (faults.strikes("agentQuit")) return exit(agent, { code: 0, signal: null });
  if (faults.strikes("agentNonsense")) {
    writePhase(agent, agent.world.prng.agents.pick(NONSENSE));
    await pause(agent, MINUTE_MS);
    if (!isThere(agent)) return undefined;
  }
  if (faults.strikes("agentAsk")) {
    askInPhase(agent);
    return listen(agent);
  }
  if (faults.strikes("agentLimit")) {
    // Half of the time in the middle of the work: what it wrote is not committed.
    if (!isTask(agent) && agent.world.prng.tasks.chance(0.5)) startWork(agent, changeFor(agent));
    meetLimit(agent);
    // Some end as if nothing were wrong.
    const code = agent.world.prng.tasks.chance(0.5) ? 0 : 1;
    return agent.oneShot ? exit(agent, { code, signal: null }) : listen(agent);
  }
  await workOnce(agent, { again: false });
  return listen(agent);
}

const NONSENSE = ["", "done!", "PHASE:finished", "PHASE: awaiting ci please", "\n\n", "phase:done"];

/** The last three are refusals. */
const EXCUSES = ["too hard", "already_done", "too_large: all of it", "unmet_dependency: #1"];

const isTask = ({ process }: Agent): boolean => !process.identity.startsWith("dev-");

/** A step of a role may take 20 minutes: to need more is a fault, which ends where the others do. */
const TASK_MINUTES = 10;

/** Brings the branch into a state worth checking, and says so last. */
async function workOnce(agent: Agent, asked: { again: boolean }): Promise<void> {
  const { world } = agent;
  const isCalm = !world.faults.on && isTask(agent);
  await pause(
    agent,
    Math.min(world.options.workMinutes, isCalm ? TASK_MINUTES : Infinity) * MINUTE_MS,
  );
  if (!isThere(agent)) return;
  if (world.options.gateway === true) askModel(agent);
  else if (world.options.budget === true) useTokens(agent);
  if (isTask(agent) && !commitsToo(agent)) return answerTask(agent);
  if (world.faults.strikes("agentGiveUp")) {
    return writePhase(agent, `PHASE:failed\nReason: ${world.prng.tasks.pick(EXCUSES)}`);
  }
  if (nothingLeft(agent) && !asked.again) return say(agent);
  if (world.faults.strikes("agentLie")) return writePhase(agent, "PHASE:done");
  const ponders = world.faults.strikes("agentPonders");
  if (ponders) await ponder(agent);
  if (!isThere(agent)) return;
  rebase(agent);
  startWork(agent, changeFor(agent));
  await pause(agent, world.options.workMinutes * MINUTE_MS);
  if (ponders) await ponder(agent);
  if (!isThere(agent)) return;
  commitWork(agent);
  mergeTheirs(agent, agent.theirs);
  await say(agent);
}

/** About an hour: by then Pawl looks only now and then for changes that it was not told of. */
const ponder = ({ world }: Agent): Promise<void> =>
  world.clock.sleep(40 * MINUTE_MS + world.prng.hasty.int(40 * MINUTE_MS));

/** A gardener commits as well, half of the time, and then goes on as any other. */
const commitsToo = ({ world, process }: Agent): boolean =>
  roleOf(process) === undefined
    ? process.identity.startsWith("gardener-") && world.prng.tasks.chance(0.5)
    : commitsFor(process);

const reviewOf = ({ world }: Agent): string =>
  JSON.stringify({
    verdict: world.faults.strikes("reviewChanges") ? "REQUEST_CHANGES" : "approve",
    verdict_reason: "because",
    review_markdown: "Looked at.",
    followups: world.prng.tasks.chance(0.1) ? [{ title: "Tidy up", body: "Later." }] : [],
  });

/** Some never get it right; drawn with the first answer of a run, for all of them. */
function isObstinate({ world, process }: Agent): boolean {
  const run = `${process.project}/${process.run} answers`;
  const known = world.doomed.get(run) ?? world.faults.strikes("agentLie");
  world.doomed.set(run, known);
  return known && world.faults.on;
}

function rightAnswer(agent: Agent): string {
  const { world, process } = agent;
  const role = roleOf(process);
  if (role !== undefined) return roleAnswer(world, role);
  const { identity } = process;
  if (identity.startsWith("review-")) return reviewOf(agent);
  if (identity !== "supervisor-triage") return RIGHT;
  const decision = world.prng.tasks.pick(["forward", "reply", "look", "dismiss"]);
  return JSON.stringify({ decision, reason: "because", text: "so" });
}

function answerTask(agent: Agent): void {
  const { world, process } = agent;
  if (world.faults.strikes("agentGiveUp")) {
    return writePhase(agent, "PHASE:failed\nReason: too hard");
  }
  const right = rightAnswer(agent);
  const text = isObstinate(agent) ? "nonsense" : right;
  // Only who might have committed may have nothing to say.
  const mayBeSilent = process.identity.startsWith("gardener-") && roleOf(process) === undefined;
  const silent = mayBeSilent && world.prng.tasks.chance(0.3);
  writePhase(agent, "PHASE:done", silent ? undefined : { kind: "text", text });
  if (agent.oneShot) exit(agent, { code: 0, signal: null });
}

async function say(agent: Agent): Promise<void> {
  if (agent.world.faults.strikes("agentHasty")) {
    writePhase(agent, agent.world.prng.hasty.pick(NONSENSE));
    await agent.world.clock.sleep(1 + agent.world.prng.hasty.int(3 * SECOND_MS));
    if (!isThere(agent)) return;
  }
  const lies = agent.world.faults.strikes("agentLie");
  writePhase(agent, lies ? "PHASE:done" : "PHASE:awaiting_ci");
  if (agent.world.faults.strikes("agentSecondThought")) {
    await agent.world.clock.sleep(20 + agent.world.prng.hasty.int(5 * SECOND_MS));
    if (!isThere(agent)) return;
    askInPhase(agent);
  }
  if (agent.oneShot) exit(agent, { code: 0, signal: null });
}

/** Takes its mail one by one, in the order of arrival, for as long as it lives. */
async function listen(agent: Agent): Promise<void> {
  while (isThere(agent)) {
    const first = nextMessage(agent);
    if (first === undefined) {
      await mail(agent);
      continue;
    }
    await pause(agent, 20 * SECOND_MS);
    if (!isThere(agent)) return;
    const [id, text] = first;
    agent.read.add(id);
    if (!agent.deaf && agent.world.options.confirms !== true) take(agent, id, text);
    agent.theirs = toldIn(text) ?? agent.theirs;
    await answer(agent, kindOf(text));
  }
}

/** Those that confirm read what was typed; a hook acknowledges it (hooks.ts). */
function nextMessage({ world, process, read }: Agent): readonly [string, string] | undefined {
  const { prompts, folder } = process;
  const all =
    world.options.confirms === true
      ? prompts.map(({ id, text }) => [id, text] as const)
      : folder.inboxNew;
  return [...all].find(([id]) => !read.has(id));
}

function take(agent: Agent, id: string, text: string): void {
  const { folder } = agent.process;
  folder.inboxNew.delete(id);
  folder.inboxCur.set(id, text);
  const { world } = agent;
  world.tell({ kind: "message-taken", dir: folder.path, id, at: world.clock.monotonicMs() });
  folderChanged(folder, false);
}

const mail = ({ process }: Agent): Promise<void> =>
  new Promise((resolve) => {
    process.folder.onMail = resolve;
  });

const toldIn = (text: string): string | undefined => /`git merge (\S+)`/.exec(text)?.[1];

const kindOf = (text: string): string => /^Kind: (.*)$/m.exec(text)?.[1] ?? "";

async function answer(agent: Agent, kind: string): Promise<void> {
  switch (kind) {
    case "ci-failed":
    case "conflict":
    case "tests-failed":
    case "review-changes":
    case "nudge":
    case "answer":
    case "notice":
    case "comment":
    case "refused":
      return workOnce(agent, { again: true });
    case "ci-passed":
      // Green is not landed, also if the agent thinks so.
      return writePhase(
        agent,
        agent.world.faults.strikes("agentLie") ? "PHASE:done" : "PHASE:awaiting_review",
      );
    case "hand-off":
      commitWork(agent);
      if (!agent.linger) exit(agent, { code: 0, signal: null });
      return undefined;
    case "landed":
      if (!agent.linger) exit(agent, { code: 0, signal: null });
      return undefined;
    default:
      return undefined;
  }
}

/** Drawn with the first life of a run, for all of them. */
function isDoomed({ world, process }: Agent): boolean {
  const run = `${process.project}/${process.run}`;
  const known = world.doomed.get(run);
  const doomed = known ?? world.faults.strikes("agentDoom");
  world.doomed.set(run, doomed);
  return doomed && world.faults.on;
}

function crashLater(agent: Agent, withinMs: number): void {
  const { world, process } = agent;
  const { clock, faults, prng } = world;
  clock.after(faults.lengthMs(withinMs), () => {
    if (!process.alive) return;
    if (faults.strikes("agentLeftover")) leaveBehind(agent);
    const how = prng.agents.int(3);
    // Killed together with its wrapper it leaves no record at all.
    if (how === 0) endProcess(world, process, undefined);
    else if (how === 1) endProcess(world, process, { code: 1, signal: null });
    else endProcess(world, process, { code: null, signal: "SEGV" });
  });
}

/** A child in the background outlives the agent, writes files, and speaks in its name. */
function leaveBehind(agent: Agent): void {
  const { world, process } = agent;
  process.leftover = true;
  const go = (left: number): void => {
    if (!process.leftover || left === 0) return;
    startWork(agent, { file: `leftover-${process.epoch}.txt`, text: `stale ${left}` });
    writePhase(agent, `PHASE:failed\nReason: stale epoch ${process.epoch}`);
    world.clock.after(5 * SECOND_MS, () => go(left - 1));
  };
  world.clock.after(SECOND_MS, () => go(20));
}

function babble(agent: Agent, count: number): void {
  const { world, process } = agent;
  world.clock.after(world.faults.lengthMs(HOUR_MS), () => {
    if (!process.alive || count > 30) return;
    for (let index = 0; index < 3; index += 1) {
      process.folder.spool.set(`${count}-${index}`, `{"v":1,"kind":"noise","at":0}`);
    }
    folderChanged(process.folder, false);
    babble(agent, count + 1);
  });
}

const ADDRESSES = ["operator", "deacon", "dev", "dev-1", "dev-2", "dev-999", "mallory"];
const SUBJECTS = ["Hello", "HELP: a key", "LIFECYCLE: done", "WITNESS_PING", "TRIGGER: x"];

function writeLetters({ world, process }: Agent): void {
  const { agents } = world.prng;
  world.clock.after(world.faults.lengthMs(HOUR_MS), () => {
    if (!process.alive) return;
    const letter = {
      to: agents.pick(ADDRESSES),
      subject: agents.pick(SUBJECTS),
      priority: agents.pick(["low", "normal", "urgent"]),
    };
    const text = JSON.stringify({ v: 1, kind: "mail", at: 0, body: "text", ...letter });
    process.folder.spool.set(`mail-${world.stamp()}`, text);
    folderChanged(process.folder, false);
  });
}

/** Tells what this life has used so far, all in all. */
function useTokens({ world, process }: Agent): void {
  // Once nothing goes wrong any more, budgets are no obstacle: everything has to come to an end.
  process.tokens += 1_000 + (world.faults.on ? world.prng.tokens.int(60_000) : 0);
  const text = JSON.stringify({ v: 1, kind: "usage", tokens: process.tokens, usd: 0 });
  process.folder.spool.set(`usage-${process.tokens}`, text);
  folderChanged(process.folder, false);
}

/** Its context fills: it is told to save its work, and then to leave for a successor. */
function fillUp(agent: Agent): void {
  const { world, process } = agent;
  // What it is told then gets lost in all that it knows, now and then.
  agent.linger ||= world.prng.agents.chance(0.3);
  const report = (percent: number, waitMs: number): void => {
    world.clock.after(waitMs, () => {
      if (!process.alive) return;
      process.folder.spool.set(
        `context-${percent}`,
        `{"v":1,"kind":"context","percent":${percent}}`,
      );
      folderChanged(process.folder, false);
    });
  };
  const fullMs = world.faults.lengthMs(2 * HOUR_MS);
  report(75, fullMs / 2);
  report(85, fullMs);
}

/** The signal an agent gets when it is ended on purpose. */
export const ENDED_BY_PAWL = "TERM";

export const isThere = ({ process }: Agent): boolean => process.alive;

const pause = ({ world }: Agent, upToMs: number): Promise<void> =>
  world.clock.sleep(1 + world.prng.agents.int(upToMs));

function exit({ world, process }: Agent, how: Pick<ExitRecord, "code" | "signal">): void {
  endProcess(world, process, how);
}

export function endProcess(
  world: World,
  process: Process,
  how: Pick<ExitRecord, "code" | "signal"> | undefined,
): void {
  if (!process.alive) return;
  process.alive = false;
  world.living.delete(process);
  const now = world.clock.now();
  if (how !== undefined) process.folder.exit = { ...how, startedAt: now, endedAt: now };
  const crashed = how === undefined || (how.code !== 0 && how.signal !== ENDED_BY_PAWL);
  world.tell({ kind: "process-ended", process, crashed });
  folderChanged(process.folder, true);
}
