// A project whose only CI is a Woodpecker server (the fake one, over real HTTP): it gates the PRs,
// and the merge queue has it judge exactly the commit that lands.
import { expect, test } from "vitest";
import { makeWoodpeckerWorld } from "../support/woodpecker-world.ts";

const sh = (text: string, more = ""): string => `\`\`\`sh${more}\n${text}\n\`\`\`\n`;

test("Woodpecker gates the PRs and the queue; infrastructure failures cost no fix, and a push does not reset the count of fixes", async () => {
  await using world = await makeWoodpeckerWorld();
  world.infra.add("pawl/1");
  await world.addIssue({
    title: "Repairs",
    body:
      sh("echo 'test -e late.txt || { echo late.txt is missing; exit 1; }' > tests/late.sh") +
      sh("echo x > late.txt", " on-ci-failure"),
  });
  await world.addIssue({
    title: "Never",
    body:
      sh("echo 'echo $(wc -l < tries.txt) tries; exit 3' > tests/never.sh; echo 0 > tries.txt") +
      sh(
        'echo again >> tries.txt; cp "$PAWL_MESSAGE_FILE" "$HOME/told-$(wc -l < tries.txt)"',
        " on-ci-failure",
      ),
  });
  const { code, stderr } = await world.pawl("run", "--until-idle");
  // One was given up.
  expect(code, stderr).toBe(8);
  const [repaired, never] = [await world.runOf(1), await world.runOf(2)];

  // One landed, judged by the server as exactly the commit that is on main now.
  expect(repaired).toMatchObject({ outcome: "landed" });
  const landed = world.inUpstream("rev-parse", "main");
  expect(world.inUpstream("log", "-1", "--format=%s", "main")).toBe("Repairs (#1)");
  const judged = world.woodpecker.pipelines.filter(({ commit }) => commit === landed);
  expect(judged).toMatchObject([
    { branch: expect.stringMatching(/^pawl\/queue\//), status: "success" },
  ]);
  expect(world.inUpstream("branch", "--list", "pawl/queue/*")).toBe("");
  expect(world.inUpstream("branch", "--list", "pawl/1-*")).toBe("");
  // The clone that failed was restarted once, and cost none of the fixes.
  const restarted = world.woodpecker.pipelines.filter(({ parent }) => parent > 0);
  expect(restarted).toHaveLength(1);
  expect(
    world.woodpecker.pipelines.find(({ number }) => number === restarted[0]?.parent),
  ).toMatchObject({
    steps: [{ name: "clone", exitCode: 128 }],
  });

  // Defect 23: a push gives no new budget. Three rounds, three messages, then a person sees it.
  expect(never.outcome).toBe("blocked");
  const issue = await world.ok("issue", "show", "2");
  expect(issue).toContain("CI still fails after 3 fixes (test)");
  const pushed = world.woodpecker.pipelines.filter(({ branch }) => branch.startsWith("pawl/2"));
  expect(pushed).toHaveLength(4);
  // Defect 24: each message has the step, the exit code and the end of the log in it.
  for (const round of [1, 2, 3]) {
    const told = world.read("user", `told-${round + 1}`);
    expect(told).toContain(`CI failed (fix ${round} of 3).`);
    expect(told).toContain("Step: test");
    expect(told).toContain("Exit code: 1");
    expect(told).toContain(`${round} tries`);
  }
  expect(await world.pawl("ci", "status", "2")).toMatchObject({ code: 1 });
  expect(await world.ok("ci", "failures", "2")).toContain("4 tries");
  expect(await world.ok("ci", "logs", "2", "--gate", "test")).toContain("4 tries");
  // The token stays where it belongs.
  expect(world.read("home", "daemon.log")).not.toContain("wp-secret");
});
