// The API descriptions that fakes are held to, read from the cache that scripts/fetch-github-api.sh,
// scripts/fetch-gitea-api.sh and scripts/fetch-forgejo-api.sh fill. Tests have no network: where one is missing, they say so.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, type Description } from "./description.ts";
import type { Schema } from "./schema.ts";

const CACHE = process.env["PAWL_TEST_CACHE"] ?? "/var/tmp/pawl-test-cache";

const FETCHED = {
  GitHub: { file: "github-api-23.0.2.json", script: "scripts/fetch-github-api.sh" },
  Gitea: { file: "gitea-api-1.26.0.json", script: "scripts/fetch-gitea-api.sh" },
  Forgejo: { file: "forgejo-api-0.12.0.json", script: "scripts/fetch-forgejo-api.sh" },
} as const;

type Api = keyof typeof FETCHED;

const known = new Map<Api, Description | undefined>();

/** Undefined, and said aloud, where it was not fetched. */
export function apiDescription(api: Api): Description | undefined {
  // Benches use the fakes too, and measure something else.
  if (process.env["VITEST"] === undefined) return undefined;
  if (!known.has(api)) known.set(api, load(api));
  return known.get(api);
}

function load(api: Api): Description | undefined {
  const { file, script } = FETCHED[api];
  const text = readIfThere(join(CACHE, file));
  if (text === undefined) {
    console.log(`SKIPPED: ${api}'s API description is not in ${CACHE}: sh ${script} fetches it`);
    return undefined;
  }
  const raw: unknown = JSON.parse(text);
  return api === "GitHub" ? github(raw) : gitea(raw, api);
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Described once for all requests ("Troubleshooting the REST API"): 304 to an ETag, 401, 403 for rate
 * limits and missing permissions, 404 for what a token may not see, 422 for what makes no sense, 429, 5xx.
 */
const GITHUB_GENERAL = new Set([304, 401, 403, 404, 422, 429, 500, 502, 503]);

const github = (raw: unknown): Description =>
  describe(raw, {
    api: "GitHub",
    general: GITHUB_GENERAL,
    alsoSent: new Set(),
    error: { $ref: "#/components/schemas/basic-error" },
    mayBeNull: () => false,
  });

/** Not described one by one: a token that is refused or lacks a scope, and what goes wrong inside. */
const GITEA_GENERAL = new Set([301, 401, 403, 404, 429, 500, 503]);

export const gitea = (raw: unknown, api: "Gitea" | "Forgejo" = "Gitea"): Description =>
  describe(raw, {
    api,
    general: GITEA_GENERAL,
    // Gitea 1.26 renamed two fields; Pawl sends both names, and each forge reads its own.
    alsoSent: new Set(api === "Gitea" ? ["Do", "MergeCommitID"] : ["do", "merge_commit_id"]),
    error: {
      type: "object",
      properties: {
        message: { type: "string" },
        url: { type: "string" },
        errors: { type: "array", items: { type: "string" }, nullable: true },
      },
      required: ["message"],
    },
    mayBeNull: isPointer,
  });

/** Swagger 2.0 has no word for it: a pointer, list or map of Go that holds nothing is written as null. */
const POINTERS = new Set(
  "merge_commit_sha additions deletions changed_files target submodule_git_url".split(" "),
);

const isPointer = (name: string, { type, format }: Schema): boolean =>
  type === "object" || type === "array" || format === "date-time" || POINTERS.has(name);
