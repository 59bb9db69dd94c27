// Work that is saved: of an agent that gives up, taken back, copied elsewhere, and taken up from
// there by another machine.
import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  LIMITS,
  makeFactory,
  shellAgent,
  TEST_GATE,
  type Factory,
} from "../../../test/support/pawl.ts";
import { expectEqual, GATE, noProcessLeft, type Scenario } from "../scenario.ts";

const CHAIN = "refs/pawl/checkpoints/dev-1";

const AGENT = `echo work > file.txt
echo "{\\"v\\":1,\\"kind\\":\\"compact\\"}" > "$PAWL_SPOOL/tmp/a"
mv "$PAWL_SPOOL/tmp/a" "$PAWL_SPOOL/new/a"
sleep 1
printf "PHASE:failed\\nReason: no\\n" > "$PAWL_PHASE_FILE"
`;

async function failing(more: (factory: Factory) => string = () => ""): Promise<Factory> {
  const files = { ...GATE, "agent.sh": AGENT };
  const config = `${shellAgent()}${TEST_GATE}${LIMITS}`;
  const factory = await makeFactory({ config, files });
  const further = more(factory);
  if (further !== "") factory.commit({ "pawl.toml": factory.config(`${config}${further}`) });
  await factory.addIssue({ title: "One", body: "" });
  return factory;
}

/** Exits with 8: a person decides about what was given up. */
const RUN = ["run", "--until-idle"];

export const givesUp: Scenario = {
  name: "an agent that gives up",
  points: /^(session-files\.removeSpool|notifier|forge\.comment)/,
  make: () => failing(),
  commands: [RUN],
  check: gaveUp,
};

export const takenBack: Scenario = {
  name: "its work taken back",
  points: /^(checkpoints\.restore|git\.(restore|workspace\.files-restored))/,
  make: async () => {
    const factory = await failing();
    await factory.pawl(...RUN);
    return factory;
  },
  commands: [
    ["checkpoint", "restore", "1"],
    ["checkpoint", "restore", "1", "--into-workspace"],
  ],
  check: gaveUp,
};

const backupOf = ({ root }: Factory): string => join(root, "backup.git");

/** A factory whose checkpoints are copied to a bare repository beside it. */
const copying = (): Promise<Factory> =>
  failing((factory) => {
    factory.gitIn(factory.root, "init", "-q", "--bare", backupOf(factory));
    return `[checkpoints]\npush = "${backupOf(factory)}"\n`;
  });

const filesIn = (factory: Factory, repository: string): string[] =>
  factory.gitIn(repository, "ls-tree", "-r", "--name-only", CHAIN).split("\n");

/** Copies are never waited for, so that work may be idle before the last has arrived. */
async function arrived(factory: Factory): Promise<void> {
  const run = factory.background("run");
  await factory.until("the copy has arrived", async () =>
    filesIn(factory, backupOf(factory)).includes("file.txt"),
  );
  run.kill("SIGTERM");
  await run.ended;
}

export const copied: Scenario = {
  name: "its work copied elsewhere",
  points: /^checkpoints\.push/,
  make: copying,
  commands: [RUN],
  check: async (factory) => {
    await arrived(factory);
    return gaveUp(factory);
  },
};

export const lostMachine: Scenario = {
  name: "the work of a lost machine",
  points: /^(checkpoints|git)\.recover/,
  make: async () => {
    const factory = await copying();
    await factory.pawl(...RUN);
    await arrived(factory);
    rmSync(factory.home, { recursive: true });
    factory.git("remote", "add", "backup", backupOf(factory));
    return factory;
  },
  commands: [["recover", "--from", "backup"]],
  check: async (factory) => {
    const hub = join(factory.home, "projects", factory.project, "hub.git");
    return expectEqual("the work is here", filesIn(factory, hub).includes("file.txt"), true);
  },
};

async function gaveUp(factory: Factory): Promise<string[]> {
  const issue = JSON.parse(await factory.ok("issue", "show", "1", "--json")) as {
    labels: string[];
    comments: unknown[];
  };
  const hub = join(factory.home, "projects", factory.project, "hub.git");
  return [
    ...expectEqual("blocked, and in the backlog", issue.labels.toSorted(), ["backlog", "blocked"]),
    ...expectEqual("one diagnostic", issue.comments.length, 1),
    ...expectEqual("the work is saved", filesIn(factory, hub).includes("file.txt"), true),
    ...(await noProcessLeft(factory)),
  ];
}
