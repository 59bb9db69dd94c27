// A target that Pawl's account may not push to, on a real Gitea: where the rule lets it merge PRs that
// are up to date, Gitea's own merge lands exactly what was tested; where it lets it do neither, nothing
// lands, and status says what the forge answered and what to do.
import { expect, onTestFinished, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { noGitea, startGitea } from "../support/real-gitea.ts";

type Pull = { number: number; merged: boolean; merge_commit_sha: string };
type Named = { name: string; commit: { id: string } };
type Said = { context: string; status: string };

const work = (name: string): string =>
  `\`\`\`sh\necho ${name} > ${name}.txt\necho '[ -s ${name}.txt ]' > tests/${name}.sh\n\`\`\`\n`;

test.skipIf(noGitea)(
  "a target that refuses Pawl's push is landed on by Gitea's merge, or it is told why not",
  async () => {
    const gitea = await startGitea();
    onTestFinished(() => gitea.close());
    const { owner, dev } = gitea.tokens;
    await gitea.makeRepo("strict", "write");
    const on = <T>(what: string, body?: unknown): Promise<T> =>
      gitea.call<T>(owner, what.replace(" ", " /repos/team/strict"), body);
    await using factory = await makeFactory({
      files: {
        "test.sh": "for t in tests/*.sh; do sh $t || exit 1; done\n",
        "tests/a.sh": "true\n",
      },
      env: { FORGE_TOKEN: dev },
    });
    const forge = `[forge]\nkind = "gitea"\nurl = "${gitea.url}"\nrepo = "team/strict"\n`;
    const config = factory.config(`${SCRIPT_AGENT}${TEST_GATE}${forge}${LIMITS}`);
    factory.commit({ "pawl.toml": config }, "Configure");
    factory.git("push", "-q", "-f", gitea.remote("strict", owner), "main");
    factory.git("remote", "add", "origin", `${gitea.url}/team/strict.git`);
    await on("POST /branch_protections", {
      rule_name: "main",
      enable_push: true,
      enable_push_whitelist: true,
      push_whitelist_usernames: ["team"],
      block_on_outdated_branch: true,
      enable_status_check: true,
      status_check_contexts: ["pawl/ci"],
    });
    const { id } = await on<{ id: number }>("POST /labels", { name: "backlog", color: "#0075ca" });
    const file = (name: string) =>
      on("POST /issues", { title: `Add ${name}`, body: work(name), labels: [id] });
    for (const name of ["one", "two"]) await file(name);

    await factory.ok("run", "--until-idle");
    const { runs } = await factory.status();
    expect(runs.map(({ outcome }) => outcome)).toEqual(["landed", "landed"]);
    const prs = await on<Pull[]>("GET /pulls?state=all");
    expect(prs.map(({ merged }) => merged)).toEqual([true, true]);
    expect(await on<unknown[]>("GET /issues?state=open")).toEqual([]);
    // What is on main now is a commit that the gates passed, and nothing else is left there.
    const branches = await on<Named[]>("GET /branches");
    expect(branches.map(({ name }) => name)).toEqual(["main"]);
    const tip = branches[0]?.commit.id ?? "";
    expect(prs.map((pr) => pr.merge_commit_sha)).toContain(tip);
    const said = await on<Said[]>(`GET /commits/${tip}/statuses`);
    expect(said).toContainEqual(expect.objectContaining({ context: "pawl/ci", status: "success" }));

    await on("PATCH /branch_protections/main", {
      enable_merge_whitelist: true,
      merge_whitelist_usernames: ["team"],
    });
    await file("three");
    const run = factory.background("run");
    const why = await factory.until("status says why", async () => {
      const { waits } = await factory.status();
      return waits
        .map((wait) => wait.why)
        .find((text) => text.includes("refused the push to main"));
    });
    expect(why).toContain("protected");
    expect(why).toContain("pawl-dev may not merge into main either");
    run.kill("SIGTERM");
    await run.ended;
    expect((await on<Named>("GET /branches/main")).commit.id).toBe(tip);
  },
);
