// A stateful Woodpecker over real HTTP, with the answers its server gives (server/api/pipeline.go
// and server/model of version 3): pipelines newest first without their steps, steps below
// workflows[].children[], logs by the step's id with base64 lines, a restart that makes a new
// number. What is said to it and what it answers is held against its API description. Every head that `heads` names gets a pipeline, as after the forge's webhook.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { watchExchanges } from "./api-description/watch.ts";
import { woodpecker } from "./api-description/woodpecker.ts";

export type FakeStep = { name: string; exitCode: number; log?: string; state?: string };
export type FakePipeline = {
  id: number;
  number: number;
  parent: number;
  event: string;
  status: string;
  commit: string;
  branch: string;
  steps: (FakeStep & { id: number; pid: number })[];
};

export type FakeWoodpeckerOptions = {
  token: string;
  repo: { id: number; fullName: string };
  heads: () => { branch: string; commit: string }[];
  /** What comes of a pipeline; undefined while it runs. */
  run: (pipeline: FakePipeline) => FakeStep[] | undefined;
};

export type FakeWoodpecker = Awaited<ReturnType<typeof startFakeWoodpecker>>;

const FAILED = ["failure", "error", "killed"];
const PER_PAGE_MAX = 50;
const STARTED = 1_700_000_000;

export async function startFakeWoodpecker(options: FakeWoodpeckerOptions) {
  const pipelines: FakePipeline[] = [];
  const requests: string[] = [];
  /** Answered instead of anything else, e.g. while it is "down". */
  const trouble: { status?: number } = {};
  let nextStep = 100;
  const watch = watchExchanges(woodpecker(), { base: "/api" });
  let distort = (body: unknown): unknown => body;

  const add = (of: Pick<FakePipeline, "event" | "commit" | "branch" | "parent">): FakePipeline => {
    const number = pipelines.length + 1;
    const made = { ...of, id: 1000 + number, number, status: "pending", steps: [] };
    pipelines.push(made);
    return made;
  };

  function turn(): void {
    for (const { branch, commit } of options.heads()) {
      const known = pipelines.some((one) => one.commit === commit && one.branch === branch);
      if (!known) add({ event: "push", commit, branch, parent: 0 });
    }
    for (const pipeline of pipelines.filter(({ status }) => /pending|running/.test(status))) {
      const steps = options.run(pipeline);
      pipeline.status = steps === undefined ? "running" : statusOf(steps);
      // Only the id of a step names its log; `pid` starts over in every pipeline.
      pipeline.steps = (steps ?? []).map((step, index) => ({
        ...step,
        id: nextStep + index,
        pid: index + 2,
      }));
      nextStep += pipeline.steps.length;
    }
  }

  function answer(request: IncomingMessage): { status: number; body: unknown } {
    if (trouble.status !== undefined) return { status: trouble.status, body: "down" };
    if (request.headers.authorization !== `Bearer ${options.token}`) {
      return { status: 401, body: "User not authorized" };
    }
    turn();
    const url = new URL(request.url ?? "/", "http://fake");
    const base = `/api/repos/${options.repo.id}`;
    if (url.pathname === `/api/repos/lookup/${options.repo.fullName}`) {
      return { status: 200, body: { id: options.repo.id, full_name: options.repo.fullName } };
    }
    if (!url.pathname.startsWith(`${base}/`)) return { status: 404, body: "not found" };
    const path = url.pathname.slice(base.length + 1).split("/");
    if (path[0] === "pipelines" && path.length === 1) return list(pipelines, url);
    const pipeline = pipelines.find(({ number }) => String(number) === path[1]);
    if (pipeline === undefined) return { status: 404, body: "not found" };
    if (path[0] === "logs") return logs(pipelines, { pipeline, step: path[2] ?? "" });
    if (request.method === "POST") return restart(pipeline, add);
    return { status: 200, body: detailed(pipeline) };
  }

  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    const given = watch.held(request, "", answer(request));
    const { status } = given;
    const body = status === 200 ? distort(given.body) : given.body;
    const isText = typeof body === "string";
    response.writeHead(status, { "content-type": isText ? "text/plain" : "application/json" });
    response.end(isText ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    pipelines,
    requests,
    trouble,
    /** A pipeline by hand, e.g. of a pull request. */
    /** From now on, what it answers is no longer what its API describes. */
    distort(next: (body: unknown) => unknown): void {
      distort = next;
    },
    add: (of: { event: string; commit: string; branch: string }) => add({ ...of, parent: 0 }),
    [Symbol.asyncDispose]: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      watch.end();
    },
  };
}

const stateOf = ({ state, exitCode }: FakeStep): string =>
  state ?? (exitCode === 0 ? "success" : "failure");

const statusOf = (steps: FakeStep[]): string =>
  steps.map(stateOf).find((state) => FAILED.includes(state)) ?? "success";

function list(pipelines: FakePipeline[], url: URL): { status: number; body: unknown } {
  const page = Number(url.searchParams.get("page") ?? 1);
  const perPage = Math.min(Number(url.searchParams.get("perPage") ?? PER_PAGE_MAX), PER_PAGE_MAX);
  const from = (page - 1) * perPage;
  const shown = pipelines.toReversed().slice(from, from + perPage);
  return {
    status: 200,
    body: shown.map((one) => ({ ...one, steps: undefined, errors: null })),
  };
}

function detailed({ steps, ...listed }: FakePipeline): unknown {
  const children = steps.map((step) => ({
    id: step.id,
    uuid: `uuid-${step.id}`,
    pipeline_id: listed.id,
    pid: step.pid,
    ppid: 1,
    name: step.name,
    state: stateOf(step),
    exit_code: step.exitCode,
    started: STARTED,
    finished: STARTED + 3,
    type: step.name === "clone" ? "clone" : "commands",
  }));
  const workflow = { id: listed.id * 10, pid: 1, name: "check", state: listed.status, children };
  return { ...listed, errors: null, workflows: [workflow] };
}

function logs(
  pipelines: FakePipeline[],
  of: { pipeline: FakePipeline; step: string },
): { status: number; body: unknown } {
  const all = pipelines.flatMap(({ steps }) => steps);
  const step = all.find(({ id }) => String(id) === of.step);
  if (step === undefined) return { status: 404, body: "not found" };
  // As the server: arbitrary logs cannot be read by id.
  if (!of.pipeline.steps.includes(step)) return { status: 400, body: "not part of the pipeline" };
  const entries = (step.log ?? "").split("\n").map((text, line) => ({
    id: line + 1,
    step_id: step.id,
    time: line,
    line,
    data: Buffer.from(text).toString("base64"),
    type: 0,
  }));
  return { status: 200, body: entries };
}

function restart(
  { event, commit, branch, number, status }: FakePipeline,
  add: (of: Pick<FakePipeline, "event" | "commit" | "branch" | "parent">) => FakePipeline,
): { status: number; body: unknown } {
  if (status === "blocked" || status === "declined") {
    return { status: 400, body: `cannot restart a pipeline with status ${status}` };
  }
  return { status: 200, body: detailed(add({ event, commit, branch, parent: number })) };
}
