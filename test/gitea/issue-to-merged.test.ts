// The whole way on a real Gitea, by the commands a user types: issues there → three agents → PRs →
// statuses → review by the second account → landed → PRs merged, issues closed, labels right.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { noGitea, startGitea, type RealGitea } from "../support/real-gitea.ts";

type Numbered = { number: number; state: string; labels: { name: string }[] };
type Pull = Numbered & { merged: boolean; head: { sha: string }; merge_commit_sha: string };
type Status = { context: string; status: string };

const work = (name: string): string =>
  `\`\`\`sh\necho ${name} > ${name}.txt\necho '[ -s ${name}.txt ]' > tests/${name}.sh\n\`\`\`\n`;

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
    const rules = `[review]\nrequired = true\n`;
    const config = factory.config(`${SCRIPT_AGENT}${TEST_GATE}${forge}${rules}${LIMITS}`);
    factory.commit({ "pawl.toml": config }, "Configure");
    factory.git("push", "-q", "-f", gitea.remote("app", owner), "main");
    // The remote has no token in it: Pawl brings its own.
    factory.git("remote", "add", "origin", `${gitea.url}/team/app.git`);
    const { id } = await on<{ id: number }>(owner, "POST /labels", {
      name: "backlog",
      color: "#0075ca",
    });
    for (const name of ["one", "two", "three"]) {
      await on(owner, "POST /issues", { title: `Add ${name}`, body: work(name), labels: [id] });
    }

    const run = factory.background("run", "--until-idle");
    const reviewed = new Set<number>();
    await factory.until("every PR is reviewed", async () => {
      for (const pr of await on<Pull[]>(review, "GET /pulls?state=open")) {
        const statuses = await on<Status[]>(review, `GET /commits/${pr.head.sha}/statuses`);
        const green = statuses.some((one) => one.context === "pawl/ci" && one.status === "success");
        if (!green || reviewed.has(pr.number)) continue;
        const verdict = { event: "APPROVED", body: "good", commit_id: pr.head.sha };
        await on(review, `POST /pulls/${pr.number}/reviews`, verdict);
        reviewed.add(pr.number);
      }
      return reviewed.size === 3;
    });
    const { code, stderr } = await run.ended;
    expect({ code, stderr }).toMatchObject({ code: 0 });

    const prs = await on<Pull[]>(owner, "GET /pulls?state=all");
    expect(prs.map((pr) => pr.merged)).toEqual([true, true, true]);
    const issues = await on<Numbered[]>(owner, "GET /issues?state=all&type=issues");
    expect(issues.map(({ state, labels }) => ({ state, labels }))).toEqual(
      Array.from({ length: 3 }, () => ({ state: "closed", labels: [] })),
    );
    const landed = factory.git("ls-remote", gitea.remote("app", owner)).split("\n");
    expect(landed.filter((line) => line.includes("refs/heads/"))).toHaveLength(1);
    const comments = await on<{ body: string }[]>(owner, "GET /issues/comments");
    expect(comments.map(({ body }) => body)).toEqual([]);
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
