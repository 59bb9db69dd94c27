// A factory whose project lives on a forge: a bare repository as its remote, and a fake Gitea over
// HTTP beside it. Tests speak to the fake as people would, and to Pawl by its commands.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  DEV_TOKEN,
  OWNER_TOKEN,
  REVIEW_TOKEN,
  startFakeGitea,
  type FakeGitea,
} from "./fake-gitea/server.ts";
import { LIMITS, makeFactory, SCRIPT_AGENT, TEST_GATE, type FactoryOptions } from "./pawl.ts";

export type ForgeFactory = Awaited<ReturnType<typeof makeForgeFactory>>;

/** Work that leaves a file and a test of it. */
export const work = (name: string): string =>
  `\`\`\`sh\necho ${name} > ${name}.txt\necho '[ -s ${name}.txt ]' > tests/${name}.sh\n\`\`\`\n`;

/** As a protected branch does, once it has its first commit. */
export function refusePushes(bare: string): void {
  const said = "Not allowed to push to protected branch main";
  const hook = `#!/bin/sh\n[ "$1" != refs/heads/main ] || [ "$2" = ${"0".repeat(40)} ] || { echo "${said}" >&2; exit 1; }\n`;
  writeFileSync(join(bare, "hooks", "update"), hook, { mode: 0o755 });
}

export async function makeForgeFactory(
  options: {
    more?: string;
    forge?: string;
    agent?: string;
    /** No account may push to main; the forge itself can move it. */
    isProtected?: boolean;
    /** Another factory on the forge of this one. */
    beside?: { bare: string; fake: FakeGitea };
  } & Omit<FactoryOptions, "config"> = {},
) {
  const factory = await makeFactory({
    files: {
      "test.sh": "for t in tests/*.sh; do sh $t || exit 1; done\n",
      "tests/a.sh": "true\n",
      ...options.files,
    },
    ...options,
    env: { FORGE_TOKEN: DEV_TOKEN, FORGE_REVIEW_TOKEN: REVIEW_TOKEN, ...options.env },
  });
  const { beside } = options;
  const bare = beside?.bare ?? join(factory.root, "origin.git");
  if (beside === undefined) {
    mkdirSync(bare);
    factory.gitIn(bare, "init", "-q", "--bare", "-b", "main");
  }
  factory.git("remote", "add", "origin", bare);
  const fake = beside?.fake ?? (await startFakeGitea(bare));
  if (options.isProtected === true) refusePushes(bare);
  if (beside === undefined) {
    const forge = `[forge]\nkind = "gitea"\nurl = "${fake.url}"\nrepo = "team/project"\n${options.forge ?? ""}`;
    const config = `${options.agent ?? SCRIPT_AGENT}${TEST_GATE}${forge}${LIMITS}${options.more ?? ""}`;
    factory.commit({ "pawl.toml": factory.config(config) }, "Configure");
    factory.git("push", "-q", "origin", "main");
  } else {
    factory.git("fetch", "-q", "origin");
    factory.git("reset", "-q", "--hard", "origin/main");
  }
  /** As a person does on the forge's page. */
  const post = async (path: string, body: unknown, token = OWNER_TOKEN) => {
    const answer = await fetch(`${fake.url}/api/v1/repos/team/project${path}`, {
      method: "POST",
      headers: { authorization: `token ${token}` },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as { id: number; number: number };
  };
  const known = fake.state.labels.find(({ name }) => name === "backlog");
  const labels = [known ?? (await post("/labels", { name: "backlog", color: "#0075ca" }))];
  return {
    ...factory,
    bare,
    fake,
    post,
    fileIssue: async (title: string, body: string): Promise<number> => {
      const ids = labels.map(({ id }) => id);
      return (await post("/issues", { title, body, labels: ids })).number;
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      await factory[Symbol.asyncDispose]();
      if (beside === undefined) await fake.close();
    },
  };
}
