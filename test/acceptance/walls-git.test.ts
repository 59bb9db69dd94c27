// An agent inside walls leads Pawl's own git, which saves its work outside them, to what the agent cannot
// reach itself: by links and files in its clone. None of it may come into the hub, where the agent reads it.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, shellAgent, TEST_GATE } from "../support/pawl.ts";
import { noWalls, WALLS } from "../support/walls.ts";

/** Each leads git to the repository OTHER, and is taken back once a checkpoint was made with it. */
const WAYS: Record<string, { way: string; back: string }> = {
  "a link in place of its refs": {
    way: 'mv .git/refs .git/own-refs && ln -s "$OTHER/.git/refs" .git/refs && echo "$OTHER/.git/objects" >> .git/objects/info/alternates',
    back: 'rm .git/refs && mv .git/own-refs .git/refs && sed -i "\\#^$OTHER#d" .git/objects/info/alternates',
  },
  "a common folder of git elsewhere": {
    way: 'echo "$OTHER/.git" > .git/commondir',
    back: "rm .git/commondir",
  },
  "a file in place of its repository": {
    way: 'mv .git "$KEPT/own" && echo "gitdir: $OTHER/.git" > .git',
    back: 'rm .git && mv "$KEPT/own" .git',
  },
  "a link in a repository inside": {
    way: 'git init -q inner && echo x > inner/x && rm -rf inner/.git/refs && ln -s "$OTHER/.git/refs" inner/.git/refs && echo "$OTHER/.git/objects" > inner/.git/objects/info/alternates',
    back: "rm -rf inner",
  },
};

/** What stands in the hub is looked for by the name of the commit, which the agent would not know. */
const AGENT = `
saved() { until git --git-dir "$HUB" cat-file -e "refs/pawl/checkpoints/dev-1:$1" 2>/dev/null; do sleep 0.05; done; }
try() {
  OTHER=$OTHERS/$1 SECRET=$(sed -n "$(($1 + 1))p" "$KEPT/secrets")
  eval "$2"; echo x > "made-$1"; saved "made-$1"
  if git --git-dir "$HUB" cat-file -e "$SECRET" 2>/dev/null; then echo "open $1"; else echo "refused $1"; fi >> "$KEPT/table"
  eval "$3"
}
${Object.values(WAYS)
  .map(({ way, back }, index) => `try ${index} '${way}' '${back}'`)
  .join("\n")}
rm -f made-*; echo work > work.txt && git add work.txt && git commit -qm Work
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
`;

test.skipIf(noWalls)(
  "what an agent's clone leads to elsewhere is not saved with its work, and the work lands",
  async () => {
    await using factory = await makeFactory({ files: { "agent.sh": AGENT } });
    const others = join(factory.root, "others");
    const kept = join(factory.root, "kept");
    mkdirSync(kept);
    const secrets = Object.keys(WAYS).map((name, index) => {
      const folder = join(others, String(index));
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "secret.txt"), `private words: ${name}\n`);
      const git = (...args: string[]): string => factory.gitIn(folder, ...args);
      git("init", "-q", "-b", "private");
      git("add", "-A");
      git("-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm", name);
      return git("rev-parse", "HEAD");
    });
    writeFileSync(join(kept, "secrets"), `${secrets.join("\n")}\n`);
    const env = {
      OTHERS: others,
      KEPT: kept,
      HUB: join(factory.home, "projects", factory.project, "hub.git"),
    };
    const agent = shellAgent(
      `env = { ${Object.entries(env)
        .map(([name, value]) => `${name} = "${value}"`)
        .join(", ")} }\n`,
    );
    const config = `${agent}${TEST_GATE}${LIMITS}${WALLS}write = ["${kept}"]\n`;
    factory.commit({ "pawl.toml": factory.config(config) });
    await factory.addIssue({ title: "Lead git away" });
    await factory.ok("run", "--until-idle");
    const table = readFileSync(join(kept, "table"), "utf8").trim().split("\n");
    expect(table).toEqual(Object.keys(WAYS).map((_, index) => `refused ${index}`));
    expect(factory.git("show", "main:work.txt")).toBe("work");
    for (const index of secrets.keys()) {
      expect(factory.gitIn(join(others, String(index)), "status", "--short")).toBe("");
    }
  },
);
