// Work of agents and of people that lands: on the user's own branch, by a push, from the queue.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import {
  LIMITS,
  makeFactory,
  SCRIPT_AGENT,
  TEST_GATE,
  type Factory,
} from "../../../test/support/pawl.ts";
import {
  expectEqual,
  GATE,
  gates,
  landed,
  noProcessLeft,
  work,
  type Scenario,
} from "../scenario.ts";

const CONFIG = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}`;
const SET_UP = `[workspace]\nsetup = "true"\nteardown = "true"\n`;

export const oneIssue: Scenario = {
  name: "one issue",
  make: async () => {
    const factory = await makeFactory({ config: `${CONFIG}${SET_UP}`, files: GATE });
    await factory.addIssue({ title: "One", body: work("one") });
    return factory;
  },
  commands: [["run", "--until-idle"]],
  check: (factory) => landed(factory, { titles: ["One (#1)"], ref: "main", in: factory.repo }),
};

export const byPush: Scenario = {
  name: "landing by a push",
  points: /^git\.(push\.|land\.(before-push|pushed))/,
  make: async () => {
    const factory = await makeFactory({ config: CONFIG, files: GATE });
    const bare = join(factory.root, "origin.git");
    mkdirSync(bare);
    factory.gitIn(bare, "init", "-q", "--bare", "-b", "main");
    factory.git("remote", "add", "origin", bare);
    factory.git("push", "-q", "origin", "main");
    await factory.addIssue({ title: "One", body: work("one") });
    return factory;
  },
  commands: [["run", "--until-idle"]],
  check: (factory) =>
    landed(factory, { titles: ["One (#1)"], ref: "main", in: join(factory.root, "origin.git") }),
};

const QUEUED: (branch: string) => string[][] = (branch) => [
  ["merge-queue", "add", branch],
  ["merge-queue", "process", "--all"],
];

export const personsBranch: Scenario = {
  name: "a branch of a person's own",
  points: /^git\.adopt/,
  make: async () => {
    const factory = await makeFactory({ config: CONFIG, files: GATE });
    factory.git("checkout", "-q", "-b", "own");
    factory.commit({ "own.txt": "own\n", "tests/own.sh": "[ -s own.txt ]\n" }, "Own");
    factory.git("checkout", "-q", "main");
    factory.commit({ "other.txt": "other\n" }, "Other");
    return factory;
  },
  commands: QUEUED("own"),
  check: async (factory) => {
    const branches = factory.git("branch", "--format=%(refname:short)");
    return [
      ...(await landedAlone(factory, ["Other", "Own"])),
      ...expectEqual("its branch is gone", branches, "main"),
      ...expectEqual("the checkout follows", factory.git("status", "--porcelain"), ""),
      ...gates(factory, { ref: "main", in: factory.repo }),
    ];
  },
};

/** Keeps both sides of every conflict. */
const RESOLVER = ["sed", "-i", "-e", "/^|||/,/^===/d", "-e", "/^[<>]\\{7\\} /d", "{file}"];

export const resolved: Scenario = {
  name: "a conflict that a program resolves",
  points: /^git\.resolve/,
  make: async () => {
    const config = `${CONFIG}[merge_queue]\nresolve = ${JSON.stringify(RESOLVER)}\n`;
    const factory = await makeFactory({ config, files: { ...GATE, "same.txt": "begin\n" } });
    factory.git("checkout", "-q", "-b", "own");
    factory.commit({ "same.txt": "begin\nown\n" }, "Own");
    factory.git("checkout", "-q", "main");
    factory.commit({ "same.txt": "begin\nother\n" }, "Other");
    return factory;
  },
  commands: QUEUED("own"),
  check: async (factory) => [
    ...(await landedAlone(factory, ["Other", "Own"])),
    ...expectEqual("both sides are there", factory.read("repo", "same.txt"), "begin\nother\nown\n"),
    ...gates(factory, { ref: "main", in: factory.repo }),
  ],
};

const landedAlone = async (factory: Factory, subjects: string[]): Promise<string[]> => [
  ...expectEqual("it landed once", factory.subjects(), subjects),
  ...(await noProcessLeft(factory)),
];
