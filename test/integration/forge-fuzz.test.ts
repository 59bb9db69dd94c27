// What forges may answer: valid answers of both fakes with one place distorted. Nothing crashes, and
// nothing is dropped in silence: a list comes whole, or the error names what was wrong and where.
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createGiteaForge } from "../../src/adapters/forge-gitea/gitea-forge.ts";
import { createGithubForge } from "../../src/adapters/forge-github/github-forge.ts";
import type { RepositoryOptions } from "../../src/adapters/shared/forge/connection.ts";
import type { Commit } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";
import { OperationError } from "../../src/lib/operation-error.ts";
import type { Forge } from "../../src/ports/forge.ts";
import { bareRepository, type BareRepository } from "../support/bare-repository.ts";
import { distort, distortion, type Distortion } from "../support/distort.ts";
import { DEV_TOKEN, REVIEW_TOKEN, startFakeGitea } from "../support/fake-gitea/server.ts";
import { GITHUB_DEV, GITHUB_REVIEW, startFakeGithub } from "../support/fake-github/server.ts";

const RUNS = Number(process.env["PAWL_FUZZ_RUNS"] ?? 150);
/** Another one each time, printed by fast-check where it finds something. */
const SEED = Number(process.env["PAWL_FUZZ_SEED"] ?? Date.now() % 1_000_000);

const FORGES = {
  gitea: { start: startFakeGitea, make: createGiteaForge, tokens: [DEV_TOKEN, REVIEW_TOKEN] },
  github: { start: startFakeGithub, make: createGithubForge, tokens: [GITHUB_DEV, GITHUB_REVIEW] },
} as const;

let repository: BareRepository;

beforeEach(() => {
  repository = bareRepository();
  repository.commit("main");
});

afterEach(() => repository.remove());

async function openWorld(kind: keyof typeof FORGES) {
  const { start, make, tokens } = FORGES[kind];
  const fake = await start(repository.path);
  const options: RepositoryOptions = {
    url: fake.url,
    owner: "team",
    repo: "project",
    token: { value: tokens[0], name: "FORGE_TOKEN" },
    reviewToken: { value: tokens[1], name: "FORGE_REVIEW_TOKEN" },
    secrets: [...tokens],
    factory: async () => ({ id: "f1", home: "h1" }),
    now: () => Date.now(),
    wait: () => Promise.resolve(),
    crash: noCrash,
  };
  const head = repository.commit("pawl/1");
  const made = make(options);
  await made.createIssue({ title: "a", body: "b", labels: ["backlog"], key: "k", author: "ann" });
  await made.comment({ issue: 1, body: "said", author: "ann", key: "c" });
  const pr = { branch: "pawl/1", target: "main", title: "t", body: "b", issue: 1, key: "p" };
  await made.ensurePr({ ...pr, head });
  await made.review({ pr: 2, verdict: "approve", body: "good", author: "ann", head, key: "r" });
  const status = { context: "pawl/ci", description: "red", url: undefined };
  await made.setStatus(head, { ...status, state: "failure" });
  // Nothing is pushed any more: what git says of the repository stays.
  remember(fake.state);
  /** A new one each time: it remembers answers. */
  return { fake, head, forge: (): Forge => make(options) };
}

function remember(state: { git: (...args: string[]) => string | undefined }): void {
  const known = new Map<string, string | undefined>();
  const real = state.git.bind(state);
  state.git = (...args) => {
    const key = args.join(" ");
    if (!known.has(key)) known.set(key, real(...args));
    return known.get(key);
  };
}

/** Who one is and may do: what is unknown there is no right, and gives none. */
const RIGHTS = /\/(?:user|assignees|permission)$/;

/**
 * A review counts by its author's rights, and a draft has no time yet: such a one is left out. And what
 * a forge calls a PR is none of the issues.
 */
const OF_A_RIGHT =
  /^reviews .*(?:user|login|author_association|official|submitted_at)\b|\.pull_request\b/;

type Look = (forge: Forge, head: Commit) => Promise<unknown>;

const LOOKS: Record<string, Look> = {
  issues: (forge) => forge.issues({ state: "open" }),
  issue: (forge) => forge.issue(1),
  comments: (forge) => forge.comments(1),
  timeline: (forge) => forge.timeline?.(1) ?? Promise.resolve([]),
  prs: (forge) => forge.prs({ state: "open" }),
  pr: (forge) => forge.pr(2),
  reviews: (forge) => forge.reviews(2),
  statuses: (forge, head) => forge.statuses(head),
  running: (forge, head) => forge.running?.(head) ?? Promise.resolve([]),
  required: (forge) => forge.requiredContexts?.("main") ?? Promise.resolve([]),
  settings: (forge) => forge.settings?.() ?? Promise.resolve(undefined),
};

for (const kind of ["gitea", "github"] as const) {
  test(`${kind}: an answer with one place distorted crashes nothing and loses nothing in silence (seed ${SEED})`, async () => {
    const { fake, head, forge } = await openWorld(kind);
    const right = new Map<string, unknown>();
    for (const [name, look] of Object.entries(LOOKS)) right.set(name, await look(forge(), head));
    const names = fc.constantFrom(...Object.keys(LOOKS));
    const holds = async (name: string, how: Distortion): Promise<void> => {
      const places: string[] = [];
      fake.distort((body, path) => {
        if (RIGHTS.test(path)) return body;
        const distorted = distort(body, how);
        places.push(distorted.place);
        return distorted.value;
      });
      const got = await (LOOKS[name] as Look)(forge(), head).catch((error: unknown) => error);
      const about = `${name} ${places.join(" ")} ${how.how}`;
      expect(lost(got, right.get(name), about) ?? wrongError(got), about).toBeUndefined();
    };
    await fc.assert(fc.asyncProperty(names, distortion, holds), { numRuns: RUNS, seed: SEED });
    await fake.close();
  });
}

/** What an answer lacks that the right one has; undefined where it lacks nothing. */
function lost(got: unknown, right: unknown, about: string): string | undefined {
  if (got instanceof Error || OF_A_RIGHT.test(about)) return undefined;
  const sizeOf = (one: unknown): number =>
    Array.isArray(one) ? one.length : one === undefined ? 0 : 1;
  return sizeOf(got) >= sizeOf(right) ? undefined : `${sizeOf(got)} of ${sizeOf(right)} came`;
}

/** An error that was foreseen says what failed, and where an answer is not what it has to be. */
function wrongError(got: unknown): string | undefined {
  if (!(got instanceof Error)) return undefined;
  if (!(got instanceof OperationError)) return got.stack;
  if (!got.message.startsWith("cannot ")) return got.message;
  const isNamed = /has an unexpected form at .+: |is not JSON/.test(got.message);
  return got.code === "http-shape" && !isNamed ? got.message : undefined;
}
