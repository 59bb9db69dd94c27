// A target that Pawl's account may not push to: nothing lands, and status says what the forge
// answered.
import { expect, onTestFinished, test } from "vitest";
import { LIMITS, makeFactory, SCRIPT_AGENT } from "../support/pawl.ts";
import { noGitea, startGitea } from "../support/real-gitea.ts";

test.skipIf(noGitea)(
  "a target that Pawl may not push to stops the queue, and status says what the forge said",
  async () => {
    const gitea = await startGitea();
    onTestFinished(() => gitea.close());
    const { owner, dev } = gitea.tokens;
    await gitea.makeRepo("strict", "write");
    await using factory = await makeFactory({ env: { FORGE_TOKEN: dev } });
    const forge = `[forge]\nkind = "gitea"\nurl = "${gitea.url}"\nrepo = "team/strict"\n`;
    const config = factory.config(`${SCRIPT_AGENT}[ci]\nnone = true\n${forge}${LIMITS}`);
    factory.commit({ "pawl.toml": config }, "Configure");
    factory.git("push", "-q", "-f", gitea.remote("strict", owner), "main");
    factory.git("remote", "add", "origin", `${gitea.url}/team/strict.git`);
    const rule = { rule_name: "main", enable_push: true, enable_push_whitelist: true };
    const protection = { ...rule, push_whitelist_usernames: ["team"] };
    await gitea.call(owner, "POST /repos/team/strict/branch_protections", protection);
    const label = { name: "backlog", color: "#0075ca" };
    const { id } = await gitea.call<{ id: number }>(owner, "POST /repos/team/strict/labels", label);
    const body = "```sh\necho one > one.txt\n```\n";
    await gitea.call(owner, "POST /repos/team/strict/issues", { title: "One", body, labels: [id] });

    const run = factory.background("run");
    const why = await factory.until("status says why", async () => {
      const { waits } = await factory.status();
      return waits
        .map((wait) => wait.why)
        .find((text) => text.includes("refused the push to main"));
    });
    expect(why).toContain("protected");
    run.kill("SIGTERM");
    await run.ended;
    const commits = factory.git("ls-remote", gitea.remote("strict", owner), "refs/heads/main");
    expect(commits).toContain(factory.git("rev-parse", "main"));
  },
);
