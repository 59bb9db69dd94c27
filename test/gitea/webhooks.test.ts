// What only a real Gitea can show: its own deliveries are understood, an operator answers on its
// page, and what a CI says by statuses there gates the PR and exactly what lands.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../../src/adapters/shared/free-port.ts";
import { ASKS, LIMITS, makeFactory, shellAgent } from "../support/pawl.ts";
import { noGitea, startGitea, type RealGitea } from "../support/real-gitea.ts";
import { untilListening } from "../support/webhook.ts";

const SECRET = "hook-secret-0123456789";
const EVENTS = ["push", "issues", "issue_comment", "pull_request", "status"];
type Ref = { name: string; commit: { id: string } };
type Said = { body: string; user: { login: string } };

describe.skipIf(noGitea)("on a real Gitea", () => {
  let gitea: RealGitea;
  beforeAll(async () => {
    gitea = await startGitea();
  });
  afterAll(() => gitea.close());

  test("its deliveries have it looked at, an operator's comment answers, and statuses gate", async () => {
    const { owner, dev, review } = gitea.tokens;
    const port = await freePort();
    await gitea.makeRepo("told", "write");
    const on = <T>(token: string, what: string, body?: unknown): Promise<T> =>
      gitea.call<T>(token, what.replace(" ", " /repos/team/told"), body);
    await using factory = await makeFactory({
      env: { FORGE_TOKEN: dev, FORGE_REVIEW_TOKEN: review, FORGE_WEBHOOK_SECRET: SECRET },
    });
    const config = `${shellAgent()}
[ci]
server = "forge"
contexts = ["ci/*"]
[forge]
kind = "gitea"
url = "${gitea.url}"
repo = "team/told"
operators = ["team"]
[forge.webhook]
listen = "127.0.0.1:${port}"
${LIMITS}`;
    factory.commit({ "pawl.toml": factory.config(config), "agent.sh": ASKS }, "Configure");
    factory.git("push", "-q", "-f", gitea.remote("told", owner), "main");
    factory.git("remote", "add", "origin", `${gitea.url}/team/told.git`);
    const url = `http://127.0.0.1:${port}/hooks/${factory.project}`;
    const hook = { url, content_type: "json", secret: SECRET };
    const label = { name: "backlog", color: "#0075ca" };
    const { id } = await on<{ id: number }>(owner, "POST /labels", label);

    factory.background("run");
    const source = async () => (await factory.status()).projects[0]?.forge?.source;
    await untilListening(factory, url);
    expect(await source()).toBe("polling");
    await on(owner, "POST /hooks", { type: "gitea", config: hook, events: EVENTS, active: true });
    await on(owner, "POST /issues", { title: "Ask", body: "which?", labels: [id] });
    const said = () => on<Said[]>(owner, "GET /issues/1/comments");
    const isAsked = async () => (await said()).some(({ body }) => body.includes("which colour?"));
    await factory.until("the question is on the issue", isAsked);
    await factory.until("Gitea has told", async () => (await source()) === "webhook");
    await on(review, "POST /issues/1/comments", { body: "red" });
    await on(owner, "POST /issues/1/comments", { body: "blue, please" });

    const judged = new Set<string>();
    await factory.until("it landed", async () => {
      for (const { name, commit } of await on<Ref[]>(owner, "GET /branches")) {
        if (!name.startsWith("pawl/") || judged.has(commit.id)) continue;
        judged.add(commit.id);
        const green = { context: "ci/test", state: "success", description: "good" };
        await on(owner, `POST /statuses/${commit.id}`, green);
      }
      return (await factory.runOf(1)).outcome === "landed";
    });
    const { commit } = await on<Ref>(owner, "GET /branches/main");
    expect([...judged]).toContain(commit.id);
    factory.git("fetch", "-q", gitea.remote("told", owner), "main");
    expect(factory.git("show", "FETCH_HEAD:answer.txt")).toContain("blue, please");
    const thanks = (await said()).filter(({ body }) => body.includes("Thank you, @team"));
    expect(thanks).toMatchObject([{ user: { login: "pawl-dev" } }]);
    await factory.until(
      "the branches are gone",
      async () => (await on<Ref[]>(owner, "GET /branches")).length === 1,
    );
  });
});
