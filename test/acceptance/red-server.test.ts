// Issue 13, item 8, where only a CI server judges: a target that is red there starts no agent.
import { expect, test } from "vitest";
import type { EscalationView } from "../../src/api/escalations.ts";
import { makeForgeFactory, type ForgeFactory } from "../support/forge-factory.ts";
import { LIMITS, SCRIPT_AGENT } from "../support/pawl.ts";

const CI = '[ci]\nserver = "forge"\ncontexts = ["ci/lint", "ci/test"]\npoll = "1 s"\n';
const WORK = "```sh\necho x > one.txt\n```\n";
const PAGE = "https://ci.example.org/7";

async function makeServerFactory(): Promise<ForgeFactory> {
  const factory = await makeForgeFactory();
  const forge = `[forge]\nkind = "gitea"\nurl = "${factory.fake.url}"\nrepo = "team/project"\n`;
  const config = factory.config(`${SCRIPT_AGENT}${CI}${forge}${LIMITS}`);
  factory.commit({ "pawl.toml": config }, "Let a server judge");
  factory.git("push", "-q", "origin", "main");
  return factory;
}

/** As the CI of the project reports, to the head of main. */
async function report(factory: ForgeFactory, states: Record<string, string>): Promise<void> {
  const head = factory.gitIn(factory.bare, "rev-parse", "main");
  for (const [context, state] of Object.entries(states)) {
    const status = { context, state, description: `${context} says ${state}`, target_url: PAGE };
    await factory.post(`/statuses/${head}`, status);
  }
}

const questions = async (factory: ForgeFactory): Promise<EscalationView[]> =>
  JSON.parse(await factory.ok("escalation", "list", "--json")) as EscalationView[];
const started = async (factory: ForgeFactory): Promise<boolean> =>
  (await factory.status()).runs.length > 0;

test("a target that is red on the CI server starts no agent: one question names the checks, and ends when they are green", async () => {
  await using factory = await makeServerFactory();
  await report(factory, { "ci/lint": "success", "ci/test": "failure" });
  for (const title of ["One", "Two"]) await factory.fileIssue(title, WORK);
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([8, expect.stringContaining("failed on the CI server: ci/test")]);
  expect(stderr).toContain(PAGE);
  expect(await started(factory)).toBe(false);
  expect(await questions(factory)).toMatchObject([
    { identity: "target", title: "the gate fails on main" },
  ]);
  expect(await factory.ok("why", "1")).toContain("ci/test says failure");
  expect(await factory.ok("run", "--dry-run")).toContain("the gate fails on main");

  factory.background("daemon");
  await report(factory, { "ci/test": "success" });
  await factory.until("an agent is started", () => started(factory));
  expect(await questions(factory)).toEqual([]);
});

test("a red target that a person fixes starts agents when the new head is green", async () => {
  await using factory = await makeServerFactory();
  await report(factory, { "ci/lint": "failure", "ci/test": "failure" });
  await factory.fileIssue("One", WORK);
  factory.background("run");
  await factory.until("it is asked", async () => (await questions(factory)).length === 1);
  expect((await questions(factory))[0]?.reason).toBe("failed on the CI server: ci/lint, ci/test");
  factory.commit({ "fix.txt": "fixed\n" }, "Fix it");
  factory.git("push", "-q", "origin", "main");
  await report(factory, { "ci/lint": "pending", "ci/test": "success" });
  const head = factory.git("rev-parse", "HEAD");
  const looks = (): string[] => factory.fake.seen.filter((line) => line.includes(`/${head}/`));
  // The second look comes after the first one was taken in: what was red is not taken for green.
  await factory.until("the new head was looked at twice", async () => looks().length > 1);
  expect(await started(factory)).toBe(false);
  await report(factory, { "ci/lint": "success" });
  await factory.until("an agent is started", () => started(factory));
});

test("without a verdict on the target agents start, and dry run and status say so", async () => {
  await using factory = await makeServerFactory();
  await factory.fileIssue("One", WORK);
  factory.background("run");
  await factory.until("an agent is started", () => started(factory));
  const { waits } = await factory.status();
  expect(waits).toContainEqual(
    expect.objectContaining({
      about: "main on the CI server",
      why: expect.stringContaining("no verdict yet: the CI server does not know commit"),
      needs_you: false,
    }),
  );
  expect(await questions(factory)).toEqual([]);
  expect(await factory.ok("run", "--dry-run")).toMatch(
    /first: Pawl reads the CI server's verdict on main \(no verdict yet: .*\); if it is red, no agent/,
  );
});
