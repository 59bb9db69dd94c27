// Small real stories that together pass every crash point. Each says how it begins, which commands
// are typed, and what must be true at the end, whatever was killed on the way.
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import {
  LIMITS,
  makeFactory,
  SCRIPT_AGENT,
  TEST_GATE,
  type Factory,
} from "../../test/support/pawl.ts";
import { makeWoodpeckerWorld } from "../../test/support/woodpecker-world.ts";

export type Scenario = {
  name: string;
  make(): Promise<Factory>;
  /** Typed in order; one that is killed is typed again. */
  commands: string[][];
  /** Sentences about what is wrong. */
  check(factory: Factory): Promise<string[]>;
};

const GATE = {
  "test.sh": "for t in tests/*.sh; do sh $t || exit 1; done\n",
  "tests/a.sh": "true\n",
};
const work = (name: string): string =>
  `\`\`\`sh\necho ${name} > ${name}.txt\necho '[ -s ${name}.txt ]' > tests/${name}.sh\n\`\`\`\n`;
const mends = `\`\`\`sh\necho 'test -e late.txt' > tests/late.sh\n\`\`\`\n\n\`\`\`sh on-ci-failure\necho x > late.txt\n\`\`\`\n`;

async function landing(): Promise<Factory> {
  const config = `${SCRIPT_AGENT}${TEST_GATE}[merge]\nstrategy = "squash"\n[workspace]\nsetup = "true"\nteardown = "true"\n${LIMITS}`;
  const factory = await makeFactory({ config, files: GATE });
  await factory.addIssue({ title: "One", body: work("one") });
  await factory.addIssue({ title: "Late", body: mends });
  return factory;
}

async function one(): Promise<Factory> {
  const config = `${SCRIPT_AGENT}${TEST_GATE}[workspace]\nsetup = "true"\nteardown = "true"\n${LIMITS}`;
  const factory = await makeFactory({ config, files: GATE });
  await factory.addIssue({ title: "One", body: work("one") });
  return factory;
}

async function pushing(): Promise<Factory> {
  const factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`,
    files: GATE,
  });
  const bare = join(factory.root, "origin.git");
  mkdirSync(bare);
  factory.gitIn(bare, "init", "-q", "--bare", "-b", "main");
  factory.git("remote", "add", "origin", bare);
  factory.git("push", "-q", "origin", "main");
  await factory.addIssue({ title: "One", body: work("one") });
  return factory;
}

async function adding(): Promise<Factory> {
  const factory = await makeFactory({
    config: `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`,
    files: GATE,
  });
  factory.git("checkout", "-q", "-b", "own");
  factory.commit({ "own.txt": "own\n", "tests/own.sh": "[ -s own.txt ]\n" }, "Own");
  factory.git("checkout", "-q", "main");
  factory.commit({ "other.txt": "other\n" }, "Other");
  return factory;
}

async function failing(): Promise<Factory> {
  const agent = `[agent]\nruntime = "command"\ncommand = ["sh", "agent.sh"]\n`;
  const factory = await makeFactory({
    config: `${agent}${TEST_GATE}${LIMITS}`,
    files: {
      ...GATE,
      "agent.sh":
        'echo work > file.txt\necho "{\\"v\\":1,\\"kind\\":\\"compact\\"}" > "$PAWL_SPOOL/tmp/a"\nmv "$PAWL_SPOOL/tmp/a" "$PAWL_SPOOL/new/a"\nsleep 1\nprintf "PHASE:failed\\nReason: no\\n" > "$PAWL_PHASE_FILE"\n',
    },
  });
  await factory.addIssue({ title: "One", body: "" });
  return factory;
}

async function tracking(): Promise<Factory> {
  return makeFactory({
    config: `${SCRIPT_AGENT}[ci]\nnone = true\n[review]\nrequired = true\n${LIMITS}`,
    files: GATE,
  });
}

/** A formula that waits for a daemon: each step writes down that it ran. */
async function formula(): Promise<Factory> {
  const factory = await tracking();
  const step = (id: string, more: string): string =>
    `[[steps]]\nid = "${id}"\nrun = 'echo ${id} >> "$HOME/log"'\n${more}\n`;
  factory.write({
    "chain.toml": `name = "chain"\n${step("one", "")}${step("two", 'needs = ["one"]')}`,
  });
  await factory.ok("formula", "run", "chain.toml", "--detach");
  return factory;
}

/** The cheapest first: a point is tried in the first scenario that passes it. */
export const SCENARIOS: Scenario[] = [
  {
    name: "one issue",
    make: one,
    commands: [["run", "--until-idle"]],
    check: (factory) => landed(factory, { titles: ["One (#1)"], ref: "main", in: factory.repo }),
  },
  {
    name: "landing on the user's own branch",
    make: landing,
    commands: [["run", "--until-idle"]],
    check: async (factory) => [
      ...(await landed(factory, {
        titles: ["Late (#2)", "One (#1)"],
        ref: "main",
        in: factory.repo,
      })),
      ...expectEqual("the checkout follows", factory.git("status", "--porcelain"), ""),
    ],
  },
  {
    name: "landing by a push",
    make: pushing,
    commands: [["run", "--until-idle"]],
    check: (factory) =>
      landed(factory, { titles: ["One (#1)"], ref: "main", in: join(factory.root, "origin.git") }),
  },
  {
    name: "a CI server",
    make: async () => {
      const world = await makeWoodpeckerWorld();
      await world.addIssue({ title: "One", body: work("one") });
      return world;
    },
    commands: [["run", "--until-idle"]],
    check: (factory) =>
      landed(factory, {
        titles: ["One (#1)"],
        ref: "main",
        in: factory.git("config", "--get", "remote.origin.url"),
      }),
  },
  {
    name: "a branch of a person's own",
    make: adding,
    commands: [
      ["merge-queue", "add", "own"],
      ["merge-queue", "process", "--all"],
    ],
    check: added,
  },
  {
    name: "an agent that gives up",
    make: failing,
    commands: [["run", "--until-idle"]],
    check: gaveUp,
  },
  {
    name: "its work taken back",
    make: async () => {
      const factory = await failing();
      await factory.ok("run", "--until-idle");
      return factory;
    },
    commands: [
      ["checkpoint", "restore", "1"],
      ["checkpoint", "restore", "1", "--into-workspace"],
    ],
    check: gaveUp,
  },
  {
    name: "the tracker by hand",
    make: tracking,
    commands: [
      ["issue", "add", "--title", "One", "--body", work("one")],
      ["issue", "comment", "1", "--body", "hello"],
      ["issue", "edit", "1", "--add-label", "priority"],
    ],
    check: tracked,
  },
  {
    name: "a formula",
    make: formula,
    commands: [["run", "--until-idle"]],
    check: async (factory) => [
      ...expectEqual("each step ran once", factory.read("user/log"), "one\ntwo\n"),
      ...expectEqual("it is done", (await factory.ok("formula", "status")).split("\t")[1], "done"),
      ...expectEqual("no process is left", factory.leftovers(), []),
    ],
  },
  {
    name: "a branch of one's own",
    make: async () => {
      const factory = await tracking();
      factory.git("checkout", "-q", "-b", "mine");
      factory.commit({ "mine.txt": "mine\n" }, "Mine");
      factory.git("checkout", "-q", "main");
      return factory;
    },
    commands: [
      ["merge-queue", "add", "mine"],
      ["merge-queue", "process", "--all"],
    ],
    check: async (factory) => [
      ...expectEqual("it landed once", factory.subjects(), ["Mine"]),
      ...expectEqual("no process is left", factory.leftovers(), []),
    ],
  },
  {
    name: "a review",
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
  },
];

async function landed(
  factory: Factory,
  wanted: { titles: string[]; ref: string; in: string },
): Promise<string[]> {
  const subjects = factory
    .gitIn(wanted.in, "log", "--first-parent", "--format=%s", wanted.ref)
    .split("\n")
    .slice(0, -1);
  const { runs } = await factory.status();
  const prs = await factory.client.get<unknown[]>("/v1/prs?state=all");
  const issues =
    await factory.client.get<{ state: string; labels: string[] }[]>("/v1/issues?state=all");
  return [
    ...expectEqual("each issue landed once", subjects.toSorted(), wanted.titles.toSorted()),
    ...expectEqual(
      "each run landed",
      runs.map((run) => run.outcome),
      wanted.titles.map(() => "landed"),
    ),
    ...expectEqual("one PR for each", prs.length, wanted.titles.length),
    ...expectEqual(
      "issues are closed",
      issues.map(({ state }) => state),
      wanted.titles.map(() => "closed"),
    ),
    ...expectEqual(
      "issues have no label left",
      issues.flatMap(({ labels }) => labels),
      [],
    ),
    ...gates(factory, wanted),
    ...nothingLeft(factory),
  ];
}

/** The gate is run again on every commit the target ever had. */
function gates(factory: Factory, wanted: { ref: string; in: string }): string[] {
  const commits = factory
    .gitIn(wanted.in, "log", "--first-parent", "--format=%H", wanted.ref)
    .split("\n");
  return commits.flatMap((commit) => {
    const folder = join(factory.root, "proof", commit);
    mkdirSync(folder, { recursive: true });
    const archive = `${folder}.tar`;
    factory.gitIn(wanted.in, "archive", "-o", archive, commit);
    return red(factory, folder, archive) ? [`the target was red at ${commit}`] : [];
  });
}

function red(factory: Factory, folder: string, archive: string): boolean {
  return factory.shell(`tar xf "$1" -C "$2" && cd "$2" && sh test.sh`, archive, folder) !== 0;
}

function nothingLeft(factory: Factory): string[] {
  const project = join(factory.home, "projects", factory.project);
  return [
    ...expectEqual("no workspace is left", readdirSync(join(project, "workspaces")), []),
    ...expectEqual("no process is left", factory.leftovers(), []),
  ];
}

async function added(factory: Factory): Promise<string[]> {
  const branches = factory.git("branch", "--format=%(refname:short)");
  return [
    ...expectEqual("it landed once", factory.subjects(), ["Other", "Own"]),
    ...expectEqual("its branch is gone", branches, "main"),
    ...expectEqual("the checkout follows", factory.git("status", "--porcelain"), ""),
    ...gates(factory, { ref: "main", in: factory.repo }),
    ...expectEqual("no process is left", factory.leftovers(), []),
  ];
}

async function gaveUp(factory: Factory): Promise<string[]> {
  const issue = JSON.parse(await factory.ok("issue", "show", "1", "--json")) as {
    labels: string[];
    comments: unknown[];
  };
  const hub = join(factory.home, "projects", factory.project, "hub.git");
  const saved = factory.gitIn(hub, "ls-tree", "-r", "--name-only", "refs/pawl/checkpoints/dev-1");
  return [
    ...expectEqual("blocked, and in the backlog", issue.labels.toSorted(), ["backlog", "blocked"]),
    ...expectEqual("one diagnostic", issue.comments.length, 1),
    ...expectEqual("the work is saved", saved.split("\n").includes("file.txt"), true),
    ...expectEqual("no process is left", factory.leftovers(), []),
  ];
}

async function tracked(factory: Factory): Promise<string[]> {
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
}

function expectEqual(claim: string, found: unknown, wanted: unknown): string[] {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  return a === b ? [] : [`${claim}: found ${a}, wanted ${b}`];
}
