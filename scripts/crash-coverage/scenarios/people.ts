// What people do by hand: the tracker, and reviews.
import { LIMITS, makeFactory, SCRIPT_AGENT, type Factory } from "../../../test/support/pawl.ts";
import { expectEqual, GATE, landed, work, type Scenario } from "../scenario.ts";

const tracking = (): Promise<Factory> =>
  makeFactory({
    config: `${SCRIPT_AGENT}[ci]\nnone = true\n[review]\nrequired = true\n${LIMITS}`,
    files: GATE,
  });

export const tracker: Scenario = {
  name: "the tracker by hand",
  points: /^forge\.createIssue/,
  make: tracking,
  commands: [
    ["issue", "add", "--title", "One", "--body", work("one")],
    ["issue", "comment", "1", "--body", "hello"],
    ["issue", "edit", "1", "--add-label", "priority"],
  ],
  check: async (factory) => {
    const issue = JSON.parse(await factory.ok("issue", "show", "1", "--json")) as {
      labels: string[];
      title: string;
      comments: unknown[];
    };
    return [
      ...expectEqual("the issue is whole", issue.title, "One"),
      ...expectEqual("its labels are right", issue.labels.toSorted(), ["backlog", "priority"]),
      ...expectEqual("its comment is there", issue.comments.length > 0, true),
    ];
  },
};

export const review: Scenario = {
  name: "a review",
  points: /^forge\.review/,
  make: async () => {
    const factory = await tracking();
    await factory.addIssue({ title: "One", body: work("one") });
    const run = factory.background("run");
    await factory.until(
      "the run waits for its review",
      async () => (await factory.runOf(1)).stage === "reviewing",
    );
    run.kill("SIGTERM");
    await run.ended;
    return factory;
  },
  commands: [
    ["pr", "review", "2", "--approve"],
    ["run", "--until-idle"],
  ],
  check: (factory) => landed(factory, { titles: ["One (#1)"], ref: "main", in: factory.repo }),
};
