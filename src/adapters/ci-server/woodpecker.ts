// A Woodpecker server through its REST API: pipelines of a commit, their steps and logs, and
// restarting one. Never its database, and never anything but this one repository.
import { infraCause } from "../../core/ci-failure.ts";
import type { WoodpeckerEvent } from "../../core/config.ts";
import type { Commit } from "../../core/ids.ts";
import * as z from "zod";
import type { Verdict, Verdicts } from "./verdict.ts";
import type { HttpClient } from "../shared/http-client.ts";
import {
  countingFor,
  hasFailed,
  isGreen,
  isUnfinished,
  logText,
  resultsOf,
  stepsOf,
  unfinishedOf,
} from "./read-pipeline.ts";
import {
  listedPipelineSchema,
  logEntrySchema,
  pipelineSchema,
  repoSchema,
  type ListedPipeline,
  type Pipeline,
  type Step,
} from "./woodpecker-shapes.ts";

const PER_PAGE = 50;
/** A commit that is waited for is among the newest; older ones are not looked for. */
const PAGES_MAX = 4;
const LOGS_MAX = 3;

export type WoodpeckerOptions = {
  http: HttpClient;
  /** Where people look, without a slash at the end. */
  url: string;
  /** The server's own number of the repository, or its owner/name. */
  repo: number | string;
  /** Whose pipelines must be green for the head of a PR. */
  events: () => Promise<readonly WoodpeckerEvent[]>;
};

export function createWoodpecker(options: WoodpeckerOptions): Verdicts {
  const repo = repoOf(options);
  return {
    verdict: async (commit, isPr) => {
      const events = expected(await options.events(), isPr);
      return verdictOn(options, await repo(), { commit, events });
    },
    restart: async (number) => {
      const path = `/api/repos/${await repo()}/pipelines/${number}`;
      const what = `restart pipeline ${number}`;
      await options.http.get({ what, method: "POST", path, schema: z.unknown() });
    },
  };
}

/** A candidate of the merge queue has no PR; where only PRs have pipelines, any will do for it. */
const expected = (events: readonly WoodpeckerEvent[], isPr: boolean): WoodpeckerEvent[] =>
  events.filter((event) => isPr || event !== "pull_request");

/** Looked up once; a failed look-up is tried again. */
function repoOf({ http, repo }: WoodpeckerOptions): () => Promise<number> {
  let known: number | undefined = typeof repo === "number" ? repo : undefined;
  return async () => {
    if (known !== undefined) return known;
    const path = `/api/repos/lookup/${String(repo).split("/").map(encodeURIComponent).join("/")}`;
    const found = await http.get({ what: `find repository ${repo}`, path, schema: repoSchema });
    known = found.id;
    return known;
  };
}

async function verdictOn(
  options: WoodpeckerOptions,
  repo: number,
  { commit, events }: { commit: Commit; events: readonly WoodpeckerEvent[] },
): Promise<Verdict> {
  const listed = await listedAbout(options, repo, { commit, events });
  const counting = countingFor(commit, listed);
  if (counting.length === 0) return { kind: "missing" };
  const failed = counting.find((pipeline) => !isUnfinished(pipeline) && !isGreen(pipeline));
  if (failed !== undefined) return failureOf(options, repo, failed.number);
  const waitsFor = [
    ...unfinishedOf(commit, listed).map(({ number, status }) => `pipeline ${number} (${status})`),
    ...events
      .filter((event) => !counting.some((pipeline) => pipeline.event === event))
      .map((event) => `a pipeline of the event ${event}`),
  ];
  if (waitsFor.length > 0) return { kind: "pending", waitsFor };
  const pipelines = await Promise.all(
    counting.map(({ number }) => pipelineOf(options, repo, number)),
  );
  const results = pipelines.flatMap((pipeline) =>
    resultsOf(pipeline, { url: urlOf(options, repo, pipeline.number), log: new Map() }),
  );
  return { kind: "passed", results };
}

/** Newest first, so that the first page has it, mostly. */
async function listedAbout(
  { http }: WoodpeckerOptions,
  repo: number,
  { commit, events }: { commit: Commit; events: readonly WoodpeckerEvent[] },
): Promise<ListedPipeline[]> {
  const all: ListedPipeline[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const listed = await http.get({
      what: "list pipelines",
      path: `/api/repos/${repo}/pipelines`,
      query: { page, perPage: PER_PAGE },
      schema: z.array(listedPipelineSchema).nullish(),
    });
    all.push(...(listed ?? []));
    const about = all.filter((pipeline) => pipeline.commit === commit);
    const hasAll = events.every((event) => about.some((pipeline) => pipeline.event === event));
    if ((about.length > 0 && hasAll) || (listed ?? []).length < PER_PAGE) break;
  }
  return all;
}

const pipelineOf = ({ http }: WoodpeckerOptions, repo: number, number: number): Promise<Pipeline> =>
  http.get({
    what: `read pipeline ${number}`,
    path: `/api/repos/${repo}/pipelines/${number}`,
    schema: pipelineSchema,
  });

async function failureOf(
  options: WoodpeckerOptions,
  repo: number,
  number: number,
): Promise<Verdict> {
  const pipeline = await pipelineOf(options, repo, number);
  const failed = stepsOf(pipeline).filter(({ step }) => hasFailed(step));
  const log = new Map<number, string>();
  for (const { step } of failed.slice(0, LOGS_MAX)) {
    log.set(step.id, await logOf(options, { repo, number, step }));
  }
  const infra = infraCause(
    failed.map(({ step }) => ({
      name: step.name,
      exitCode: step.exit_code,
      log: log.get(step.id) ?? "",
    })),
  );
  const url = urlOf(options, repo, number);
  return { kind: "failed", run: String(number), results: resultsOf(pipeline, { url, log }), infra };
}

async function logOf(
  { http }: WoodpeckerOptions,
  of: { repo: number; number: number; step: Step },
): Promise<string> {
  const answer = await http.ask({
    what: `read the log of step ${of.step.name}`,
    path: `/api/repos/${of.repo}/logs/${of.number}/${of.step.id}`,
    schema: z.array(logEntrySchema).nullish(),
    // A step that never started has none.
    accept: [404],
  });
  return answer.kind === "ok" ? logText(answer.body ?? []) : "";
}

const urlOf = ({ url }: WoodpeckerOptions, repo: number, number: number): string =>
  `${url}/repos/${repo}/pipeline/${number}`;
