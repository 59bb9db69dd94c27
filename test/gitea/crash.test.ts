// Pawl is killed at every single change it makes on a real Gitea: claim, labels, PR, statuses, reviews,
// follow-up, merge, closing; before it is sent, after it is sent and before its answer is read, and after
// the answer. Nothing is made twice and nothing is lost (invariant h). Each death costs a start of Pawl:
// that takes minutes, and is done by
// `PAWL_CRASH_ALL=1 npx vitest run --project gitea test/gitea/crash.test.ts test/gitea/crash-calls.test.ts`;
// CI dies at all three on the fake, in test/acceptance/forge-crash.test.ts.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dieUntilIdle, DEATHS } from "../support/deaths.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { noGitea, startGitea, type RealGitea } from "../support/real-gitea.ts";

const DEATHS_MAX = 150;
const isAskedFor = process.env["PAWL_CRASH_ALL"] !== undefined;
const TIMEOUT_MS = 900_000;

const block = (tag: string, ...lines: string[]): string =>
  ["```" + tag, ...lines, "```", ""].join("\n");
const answer = (verdict: string): string => {
  const followups = [{ title: "Tidy up", body: "Later." }];
  const said = { verdict, verdict_reason: "because", review_markdown: "words", followups };
  return `printf '%s' '${JSON.stringify(said)}' > "$PAWL_RESULT_FILE"`;
};
const ISSUE = [
  block("sh", "echo one > one.txt"),
  block("sh on-review", "echo better >> one.txt"),
  block(
    "sh review",
    `if grep -q better one.txt; then ${answer("approve")}`,
    `else ${answer("request-changes")}`,
    "fi",
  ),
].join("\n");

type Issue = { title: string; state: string; labels: { name: string }[]; pull_request?: unknown };
type Pull = { number: number; merged: boolean };
type Said = { state: string };
type Status = { context: string; status: string };

describe.skipIf(noGitea || !isAskedFor)("on a real Gitea", () => {
  let gitea: RealGitea;
  beforeAll(async () => {
    gitea = await startGitea();
  });
  afterAll(() => gitea.close());

  test.each(DEATHS)(
    "killed at %s of every change, Pawl makes everything once",
    async (point, count) => {
      const { owner, dev, review } = gitea.tokens;
      const repo = point.replaceAll(".", "-");
      await gitea.makeRepo(repo, "write");
      const on = <T>(what: string, body?: unknown): Promise<T> =>
        gitea.call<T>(owner, what.replace(" ", ` /repos/team/${repo}`), body);
      await using factory = await makeFactory({
        env: { FORGE_TOKEN: dev, FORGE_REVIEW_TOKEN: review },
      });
      const forge = `[forge]\nkind = "gitea"\nurl = "${gitea.url}"\nrepo = "team/${repo}"\n`;
      const rules = `[review]\nrole = true\n`;
      const config = factory.config(`${SCRIPT_AGENT}${TEST_GATE}${forge}${rules}${LIMITS}`);
      factory.commit({ "pawl.toml": config }, "Configure");
      factory.git("push", "-q", "-f", gitea.remote(repo, owner), "main");
      factory.git("remote", "add", "origin", `${gitea.url}/team/${repo}.git`);
      // No account of Pawl may push to main: landing is a change on the forge, too.
      await on("POST /branch_protections", {
        rule_name: "main",
        enable_push: true,
        enable_push_whitelist: true,
        push_whitelist_usernames: ["team"],
        block_on_outdated_branch: true,
      });
      const label = { name: "backlog", color: "#0075ca" };
      const { id } = await on<{ id: number }>("POST /labels", label);
      await on("POST /issues", { title: "Add one", body: ISSUE, labels: [id] });

      const deaths = await dieUntilIdle(factory, { point, count, deathsMax: DEATHS_MAX });
      expect(deaths).toBeGreaterThanOrEqual(10);
      console.log(`${point}: ${deaths} deaths`);

      const all = await on<Issue[]>("GET /issues?state=all&type=issues");
      const shown = all.map(({ title, state, labels }) =>
        [title, state, ...labels.map(({ name }) => name)].join(", "),
      );
      expect(shown.toSorted()).toEqual(["Add one, closed", "Tidy up, open, tech-debt"]);
      const prs = await on<Pull[]>("GET /pulls?state=all");
      expect(prs).toMatchObject([{ merged: true }]);
      const reviews = await on<Said[]>(`GET /pulls/${prs[0]?.number}/reviews`);
      expect(reviews.map(({ state }) => state)).toEqual(["REQUEST_CHANGES", "APPROVED"]);
      expect(await on<unknown[]>("GET /issues/comments")).toEqual([]);
      const names = (await on<{ name: string }[]>("GET /labels")).map(({ name }) => name);
      expect(names).toEqual([...new Set(names)]);
      const branches = await on<{ name: string; commit: { id: string } }[]>("GET /branches");
      expect(branches.map(({ name }) => name)).toEqual(["main"]);
      const said = await on<Status[]>(`GET /commits/${branches[0]?.commit.id}/statuses`);
      const states = said.map(({ context, status }) => `${context} ${status}`);
      expect(states).toEqual([...new Set(states)]);
      await factory.nothingLeft();
    },
    TIMEOUT_MS,
  );
});
