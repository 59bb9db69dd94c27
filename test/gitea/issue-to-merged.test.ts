// The whole way on a real Gitea, by the commands a user types: issues there → two agents → PRs →
// statuses → review by the second account → landed → PRs merged, issues closed, labels right.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { noGitea, startGitea, type RealGitea } from "../support/real-gitea.ts";

type Numbered = { number: number; state: string; labels: { name: string }[] };
type Pull = Numbered & { merged: boolean; head: { sha: string }; merge_commit_sha: string };
type Given = { state: string; user: { login: string }; body: string };
type Status = { context: string; status: string };

const block = (tag: string, ...lines: string[]): string =>
  ["```" + tag, ...lines, "```", ""].join("\n");
const answer = (verdict: string, text: string): string =>
  `printf '%s' '{"verdict":"${verdict}","verdict_reason":"because","review_markdown":"${text}"}' > "$PAWL_RESULT_FILE"`;

/** Work, and a reviewer who sends it back once where it is told to. */
const work = (name: string, isSentBack: boolean): string =>
  [
    block("sh", `echo ${name} > ${name}.txt`, `echo '[ -s ${name}.txt ]' > tests/${name}.sh`),
    block("sh on-review", `echo better >> ${name}.txt`),
    block(
      "sh review",
      isSentBack ? `if ! grep -q better ${name}.txt` : "if false",
      `then ${answer("request-changes", "Make it better.")}`,
      `else ${answer("approve", "Good.")}`,
      "fi",
    ),
  ].join("\n");

describe.skipIf(noGitea)("on a real Gitea", () => {
  let gitea: RealGitea;
  beforeAll(async () => {
    gitea = await startGitea();
  });
  afterAll(() => gitea.close());

  test("issues become merged PRs, reviewed by the second account", async () => {
    const { owner, dev, review } = gitea.tokens;
    await gitea.makeRepo("app", "write");
    const on = <T>(token: string, what: string, body?: unknown): Promise<T> =>
      gitea.call<T>(token, what.replace(" ", " /repos/team/app"), body);
    await using factory = await makeFactory({
      files: {
        "test.sh": "for t in tests/*.sh; do sh $t || exit 1; done\n",
        "tests/a.sh": "true\n",
      },
      env: { FORGE_TOKEN: dev, FORGE_REVIEW_TOKEN: review },
    });
    const forge = `[forge]\nkind = "gitea"\nurl = "${gitea.url}"\nrepo = "team/app"\n`;
    const rules = `[review]\nrole = true\n`;
    const config = factory.config(`${SCRIPT_AGENT}${TEST_GATE}${forge}${rules}${LIMITS}`);
    factory.commit({ "pawl.toml": config }, "Configure");
    factory.git("push", "-q", "-f", gitea.remote("app", owner), "main");
    // The remote has no token in it: Pawl brings its own.
    factory.git("remote", "add", "origin", `${gitea.url}/team/app.git`);
    const { id } = await on<{ id: number }>(owner, "POST /labels", {
      name: "backlog",
      color: "#0075ca",
    });
    for (const name of ["one", "two"]) {
      const body = work(name, name === "two");
      await on(owner, "POST /issues", { title: `Add ${name}`, body, labels: [id] });
    }

    await factory.ok("run", "--until-idle");

    const prs = await on<Pull[]>(owner, "GET /pulls?state=all");
    expect(prs.map((pr) => pr.merged)).toEqual([true, true]);
    const issues = await on<Numbered[]>(owner, "GET /issues?state=all&type=issues");
    expect(issues.map(({ state, labels }) => ({ state, labels }))).toEqual(
      Array.from({ length: 2 }, () => ({ state: "closed", labels: [] })),
    );
    const landed = factory.git("ls-remote", gitea.remote("app", owner)).split("\n");
    expect(landed.filter((line) => line.includes("refs/heads/"))).toHaveLength(1);
    const reviews = await Promise.all(
      prs.map((pr) => on<Given[]>(owner, `GET /pulls/${pr.number}/reviews`)),
    );
    expect(reviews.flat().map(({ user }) => user.login)).toEqual(Array(3).fill("pawl-review"));
    expect(reviews.map((given) => given.map(({ state }) => state).join(" ")).toSorted()).toEqual([
      "APPROVED",
      "REQUEST_CHANGES APPROVED",
    ]);
    const statuses = await on<Status[]>(owner, `GET /commits/${prs[0]?.head.sha}/statuses`);
    expect(statuses).toContainEqual(
      expect.objectContaining({ context: "pawl/ci", status: "success" }),
    );
    // The reviews carry the marker themselves: no comment stands beside them, and no claim is left.
    expect(reviews.flat().filter(({ body }) => !body.includes("<!-- reviewed: "))).toEqual([]);
    expect(await on<unknown[]>(owner, "GET /issues/comments")).toEqual([]);
    expect(filesWith(factory.root, [dev, review])).toEqual([]);
  });
});

/** Files below a folder that hold one of these texts. */
function filesWith(folder: string, texts: string[]): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true)
    .filter((path) => {
      const content = readFileSync(path, "latin1");
      const encoded = texts.map((text) => Buffer.from(`pawl:${text}`).toString("base64"));
      return [...texts, ...encoded].some((text) => content.includes(text));
    });
}
