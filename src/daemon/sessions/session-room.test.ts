import { expect, test } from "vitest";
import type { Run } from "../../core/run/run.ts";
import type { EffectContext } from "../effects/executor.ts";
import { pathsOf } from "../host/paths.ts";
import { sessionRoom } from "./session-room.ts";

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

const readIn = async (before: string | undefined) => {
  const life = { dir: "/pawl/2", before, env: {}, program: undefined, sockets: undefined };
  return (await sessionRoom(RUN, life, CONTEXT))?.read;
};

test("a life that resumes a conversation may read the folder of the life before", async () => {
  expect(await readIn("/pawl/1")).toContain("/pawl/1");
});

test("no file of the factory that is made again and again is mounted", async () => {
  expect(await readIn(undefined)).not.toContain(PATHS.heartbeat);
});
