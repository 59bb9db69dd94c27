// The few requests of Woodpecker that Pawl makes, as its own API description has them
// (cmd/server/openapi/docs.go of woodpecker-ci/woodpecker, commit 001de310, version 3). Woodpecker
// cannot be fetched or built where tests run, so that these are its names and types, written down.
import { describe, type Description } from "./description.ts";
import type { Schema } from "./schema.ts";

const text: Schema = { type: "string" };
const whole: Schema = { type: "integer" };
const ofType = (type: Schema, names: string): Record<string, Schema> =>
  Object.fromEntries(names.split(" ").map((name) => [name, type]));
const list = (items: Schema): Schema => ({ type: "array", items, nullable: true });

const EVENTS =
  "push pull_request pull_request_closed pull_request_metadata tag release deployment cron manual";

const step: Schema = {
  type: "object",
  properties: {
    ...ofType(whole, "id pipeline_id pid ppid exit_code started finished"),
    ...ofType(text, "uuid name state error type"),
  },
};

const workflow: Schema = {
  type: "object",
  properties: {
    ...ofType(whole, "id pipeline_id pid agent_id started finished"),
    ...ofType(text, "name state error platform"),
    children: list(step),
  },
};

const error: Schema = {
  type: "object",
  properties: { ...ofType(text, "type message"), is_warning: { type: "boolean" }, data: {} },
};

const pipeline: Schema = {
  type: "object",
  properties: {
    ...ofType(whole, "id number parent created updated started finished timestamp reviewed"),
    ...ofType(text, "status commit branch ref refspec title message sender author forge_url"),
    event: { ...text, enum: EVENTS.split(" ") },
    errors: list(error),
    workflows: list(workflow),
  },
};

/** Its description calls `data` a list of numbers; Go writes a list of bytes as base64. */
const logEntry: Schema = {
  type: "object",
  properties: {
    ...ofType(whole, "id step_id time line"),
    data: { ...text, nullable: true },
    type: { ...whole, enum: [0, 1, 2, 3, 4] },
  },
};

const repo: Schema = {
  type: "object",
  properties: { ...ofType(whole, "id org_id"), ...ofType(text, "owner name full_name") },
};

const answers = (schema: Schema) => ({ responses: { 200: { schema } } });
const query = (name: string) => ({ name, in: "query", type: "integer" });
const one = "/repos/{repo_id}/pipelines/{number}";

export const woodpecker = (): Description =>
  describe(
    {
      paths: {
        "/repos/lookup/{owner}/{name}": { get: answers(repo) },
        "/repos/{repo_id}/pipelines": {
          get: { ...answers(list(pipeline)), parameters: [query("page"), query("perPage")] },
        },
        [one]: { get: answers(pipeline), post: answers(pipeline) },
        "/repos/{repo_id}/logs/{number}/{step_id}": { get: answers(list(logEntry)) },
      },
    },
    {
      api: "Woodpecker",
      general: new Set([400, 401, 403, 404, 500, 502, 503]),
      alsoSent: new Set(),
      // Refusals are plain texts.
      error: text,
      mayBeNull: () => false,
    },
  );
