// Answers a command where no daemon runs: reads need no lock. A command that writes takes the lock
// and runs the same engine for as long as it needs, without starting agents on the side.
import type { Hono } from "hono";
import type { FormulaRunView } from "../api/formulas.ts";
import type { DoctorView } from "../api/doctor.ts";
import type { RemovalView } from "../api/removal.ts";
import type { RunView } from "../api/runs.ts";
import { mayCall, refusedCall, SESSION_HEADER } from "../api/session-rights.ts";
import type { Factory, FactoryPlace } from "../daemon/host/factory.ts";
import type { FormulaAtWork } from "../daemon/offline/work-on-formula.ts";
import type { QueueAtWork } from "../daemon/offline/work-on-queue.ts";
import { pawlHome } from "../config/home.ts";
import { OperationError } from "../lib/operation-error.ts";
import { errorFrom, isUnregistered, type SentCall } from "./client.ts";
import type { Answer } from "./over-socket.ts";

export async function answerInProcess(call: SentCall, place: FactoryPlace): Promise<Answer> {
  const { pathname } = new URL(call.path, "http://pawl");
  const session = call.headers[SESSION_HEADER];
  if (session !== undefined && !mayCall(call.method, pathname)) {
    return { status: 403, body: { error: refusedCall({ ...call, path: pathname, session }) } };
  }
  const view = call.method === "GET" ? await readHere(call, place) : undefined;
  if (view !== undefined) return { status: 200, body: view };
  if (pathname.startsWith("/v1/doctor")) return examineHere(call, place);
  if (call.method === "POST" && STOP.test(pathname)) return stopHere(call, place);
  return answerOpened(call, place);
}

/**
 * What people ask most is read without the web server, its schemas and adapters. Undefined where only
 * those can answer: other questions, a forge over a network, and words that are refused.
 */
async function readHere({ path, headers }: SentCall, place: FactoryPlace): Promise<unknown> {
  const { pathname, searchParams } = new URL(path, "http://pawl");
  const words = Object.fromEntries(searchParams);
  const asked = {
    all: words["all"] === "true",
    project: words["project"],
    cwd: decodeURIComponent(headers["x-pawl-cwd"] ?? ""),
  };
  const [, , room = "", name, ...more] = pathname.split("/").map(decodeURIComponent);
  if (more.length > 0 || (name !== undefined && room !== "why")) return undefined;
  switch (room) {
    case "status":
      return (await import("../daemon/offline/reading-status.ts")).readStatus(place, asked);
    case "agents": {
      if (["orphan", "limit", "after"].some((word) => searchParams.has(word))) return undefined;
      const { readAgents } = await import("../daemon/offline/reading-agents.ts");
      const isEveryLife = words["lives"] === "true";
      return readAgents(place, { isPastToo: isEveryLife || asked.all, isEveryLife });
    }
    case "why": {
      if (name === undefined) return undefined;
      return (await import("../daemon/offline/reading-why.ts")).readWhy(place, asked, name);
    }
    case "issues":
      return (await import("../daemon/offline/reading-issues.ts")).readIssues(place, asked, words);
    case "costs":
      return (await import("../daemon/offline/reading-costs.ts")).readCosts(place, asked, words);
    case "history":
      return (await import("../daemon/offline/reading-history.ts")).readHistory(
        place,
        asked,
        words,
      );
    case "queue":
      return (await import("../daemon/offline/reading-queue.ts")).readQueue(place, asked);
    default:
      return undefined;
  }
}

const STOP = /^\/v1\/runs\/[^/]+\/stop$/;

/** No daemon would end the agent: it is ended here, and its work saved, before the answer. */
async function stopHere(call: SentCall, place: FactoryPlace): Promise<Answer> {
  const { endRunHere } = await import("../daemon/sessions/end-agents.ts");
  return endRunHere(place, async (app, end) => {
    const stopped = await ask(app, call);
    if (stopped.status >= 400) return stopped;
    await end(stopped.body as RunView);
    const path = call.path.replace(/\/stop(?=\?|$)/, "");
    return ask(app, { method: "GET", path, headers: call.headers });
  });
}

/** The doctor also handles a journal that cannot be opened. */
async function examineHere(call: SentCall, place: FactoryPlace): Promise<Answer> {
  const { reportBroken, restoreBroken } = await import("../daemon/doctor/broken-journal.ts");
  if (call.method === "POST") {
    const restored = await restoreBroken(place);
    const answer = await answerOpened(call, place);
    if (restored === undefined || answer.status >= 400) return answer;
    const view = answer.body as DoctorView;
    return { ...answer, body: { ...view, checks: [restored, ...view.checks] } };
  }
  try {
    return await answerOpened(call, place);
  } catch (error) {
    if (!(error instanceof OperationError && error.code === "store-corrupt")) throw error;
    return { status: 200, body: await reportBroken(place, error.message) };
  }
}

async function answerOpened(call: SentCall, place: FactoryPlace): Promise<Answer> {
  const opened = call.method === "GET" ? await openReading(place) : await openWriting(place);
  try {
    return await ask(opened.app, call);
  } finally {
    await opened.close();
  }
}

async function ask(app: Hono, { path, method, headers, body }: SentCall): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await app.request(path, { method, headers, ...sent });
  return { status: response.status, body: await response.json() };
}

/** The merge queue at work, for as long as the caller keeps it open. */
export async function queueAtWork(call: SentCall, place: FactoryPlace): Promise<QueueAtWork> {
  const { workOnQueue } = await import("../daemon/offline/work-on-queue.ts");
  return workOnQueue(
    place,
    async (factory) => (await askFactory<{ project: string }>(factory, call)).project,
  );
}

/** A question to a factory that is open for work; the project of the folder is registered first. */
async function askFactory<View>(
  { app, register }: Pick<Factory, "app" | "register">,
  { method, path, headers }: SentCall,
): Promise<View> {
  const ask = async (): Promise<Answer> => {
    const response = await app.request(path, { method, headers });
    return { status: response.status, body: await response.json() };
  };
  let answer = await ask();
  const isNamed = new URL(path, "http://pawl").searchParams.has("project");
  if (isUnregistered(answer) && !isNamed) {
    await register(decodeURIComponent(headers["x-pawl-cwd"] ?? ""));
    answer = await ask();
  }
  if (answer.status >= 400) throw errorFrom(answer, { method, path });
  return answer.body as View;
}

/** One run of a formula at work, for as long as the caller keeps it open. */
export async function formulaAtWork(call: SentCall, place: FactoryPlace): Promise<FormulaAtWork> {
  const { workOnFormula } = await import("../daemon/offline/work-on-formula.ts");
  return workOnFormula(place, (factory) => askFactory<FormulaRunView>(factory, call));
}

/** What holds the factory now, in words; undefined where nothing does. */
export async function holderOf(env: Readonly<Record<string, string | undefined>>) {
  const { factoryHolder } = await import("../daemon/host/factory-holder.ts");
  return factoryHolder(pawlHome(env));
}

/** What removing a project would remove and keep; the same is done with `isDone`. */
export async function projectRemoval(
  place: FactoryPlace,
  asked: { project: string; isDone: boolean },
): Promise<RemovalView> {
  const { planRemoval, removeProject } = await import("../daemon/offline/remove-project.ts");
  return asked.isDone ? removeProject(place, asked.project) : planRemoval(place, asked.project);
}

/** The same for every project of the factory. */
export async function plannedRemovals(place: FactoryPlace): Promise<RemovalView[]> {
  return (await import("../daemon/offline/remove-project.ts")).planRemovals(place);
}

/** Which version the journal has, also where it is another than this Pawl can open. */
export async function journalOf(env: Readonly<Record<string, string | undefined>>) {
  const { journalFacts } = await import("../daemon/offline/journal-facts.ts");
  return journalFacts(pawlHome(env));
}

/** Asks whether the daemon of this keeper has worked since it was last asked. */
export async function workOfKept(keeper: number | undefined) {
  return (await import("../daemon/offline/starting-daemon-works.ts")).keptWork(keeper);
}

/** Each brings only what it needs: reading is what people do most. */
async function openReading(place: FactoryPlace) {
  const { openForReading } = await import("../daemon/offline/reading.ts");
  return openForReading(place);
}

async function openWriting(place: FactoryPlace) {
  const { everyProject, openFactory } = await import("../daemon/host/factory.ts");
  const { noLog } = await import("../daemon/host/no-log.ts");
  const { crashPointFrom } = await import("../daemon/engine/crash-at.ts");
  return openFactory({
    ...place,
    log: noLog,
    crash: crashPointFrom(process.env),
    scope: everyProject,
    wants: () => false,
    daemon: null,
  });
}
