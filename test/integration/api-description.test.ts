// The fakes are held to what GitHub, Gitea and Forgejo say of their own APIs, in every test that uses them. Here
// is shown that a fake which strays is found out, and a request of ours that strays too.
import { afterEach, beforeEach, expect, test } from "vitest";
import { apiDescription } from "../support/api-description/load.ts";
import { bareRepository, type BareRepository } from "../support/bare-repository.ts";
import { DEV_TOKEN, startFakeGitea } from "../support/fake-gitea/server.ts";
import { GITHUB_DEV, startFakeGithub } from "../support/fake-github/server.ts";

let repository: BareRepository;

beforeEach(() => {
  repository = bareRepository();
  repository.commit("main");
});

afterEach(() => repository.remove());

const FAKES = {
  GitHub: { start: startFakeGithub, base: "/api/v3", authorization: `Bearer ${GITHUB_DEV}` },
  Gitea: { start: startFakeGitea, base: "/api/v1", authorization: `token ${DEV_TOKEN}` },
};

for (const api of ["GitHub", "Gitea"] as const) {
  const { start, base, authorization } = FAKES[api];

  async function ask(path: string, body?: unknown) {
    const fake = await start(repository.path);
    const to = `${fake.url}${base}/repos/team/project${path}`;
    const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
    await fetch(to, { ...sent, headers: { authorization } });
    return fake;
  }

  test.skipIf(apiDescription(api) === undefined)(
    `${api}: a request and an answer as its own API description has them pass`,
    async () => {
      const fake = await ask("/issues?state=open");
      await expect(fake.close()).resolves.toBeUndefined();
    },
  );

  test.skipIf(apiDescription(api) === undefined).each([
    { what: "a path", path: "/no/such/thing", why: "has no such request" },
    { what: "a query", path: "/issues?colour=red", why: "the query has colour" },
    { what: "a value of the query", path: "/issues?state=broken", why: "should be one of" },
    { what: "a name in a body", path: "/labels", body: { name: "a", hue: "x" }, why: "body hue" },
    { what: "a type in a body", path: "/issues", body: { title: "a", body: 7 }, why: "is 7" },
  ])(`${api}: $what that it does not describe fails the test`, async ({ path, body, why }) => {
    const fake = await ask(path, body);
    await expect(fake.close()).rejects.toThrow(why);
  });

  test.skipIf(apiDescription(api) === undefined)(
    `${api}: an answer that it does not describe fails the test`,
    async () => {
      const fake = await start(repository.path);
      fake.state.labels.push({ id: 1, name: "a", color: 7 as unknown as string });
      await fetch(`${fake.url}${base}/repos/team/project/labels`, { headers: { authorization } });
      await expect(fake.close()).rejects.toThrow("answer [].color: is 7, and should be string");
    },
  );
}

test.skipIf(apiDescription("Forgejo") === undefined)(
  "Forgejo: a request to the fake Gitea that only Gitea describes fails the test",
  async () => {
    const { start, base, authorization } = FAKES.Gitea;
    const fake = await start(repository.path);
    const body = JSON.stringify({ do: "merge", head_commit_id: "a" });
    const to = `${fake.url}${base}/repos/team/project/pulls/7/merge`;
    await fetch(to, { method: "POST", body, headers: { authorization } });
    await expect(fake.close()).rejects.toThrow("not as Forgejo describes itself");
  },
);
