import { expect, test } from "vitest";
import type { Run } from "../../core/run/run.ts";
import type { StatePlace } from "../../ports/walls.ts";
import type { EffectContext } from "../effects/executor.ts";
import { pathsOf } from "../host/paths.ts";
import { sessionRoom } from "./session-walls.ts";

const PATHS = pathsOf("/pawl", "/run/pawl");
const ISOLATION = { mode: "bwrap", network: "open", hosts: [], read: [], write: [], devices: [] };
const RUN = {
  id: "1.1",
  project: "app",
  identity: "dev-1",
  role: "dev",
  name: "1",
  work: { kind: "issue", issue: 1 },
  config: { agent: { runtime: "codex", command: [] }, isolation: ISOLATION },
} as unknown as Run;

const CONTEXT = {
  paths: PATHS,
  project: "app",
  ports: { agent: () => ({}) },
  store: { aggregates: async () => [{ state: { kind: "project", root: "/app" } }] },
} as unknown as EffectContext;

const LIFE = {
  dir: "/pawl/2",
  before: undefined,
  env: {},
  program: undefined,
  sockets: undefined,
  providers: [],
};

const readIn = async (before: string | undefined) => {
  return (await sessionRoom(RUN, { ...LIFE, before }, CONTEXT))?.read;
};

test("a life that resumes a conversation may read the folder of the life before", async () => {
  expect(await readIn("/pawl/1")).toContain("/pawl/1");
});

test("no file of the factory that is made again and again is mounted", async () => {
  expect(await readIn(undefined)).not.toContain(PATHS.heartbeat);
});

test.each([
  { providers: ["openai" as const], withLogin: false },
  { providers: ["anthropic" as const], withLogin: true },
  { providers: [], withLogin: true },
])(
  "a life whose gateway leads to $providers has the login of Codex: $withLogin",
  async ({ providers, withLogin }) => {
    const places: StatePlace[] = [];
    const walls = { placeState: async (place: StatePlace) => (places.push(place), []) };
    const state = { variable: "CODEX_HOME", folder: ".codex", login: { providers: ["openai"] } };
    const agent = () => ({ state });
    const context = { ...CONTEXT, ports: { agent, walls } } as unknown as EffectContext;
    await sessionRoom(RUN, { ...LIFE, providers }, context);
    expect(places).toMatchObject([{ withLogin }]);
  },
);
