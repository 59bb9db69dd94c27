// Programs of the target that run without an agent: an agent cannot land one by itself, and what a
// plugin of the target runs, scripts elsewhere included, is inside the project's walls.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { PluginRunView } from "../../src/api/plugins.ts";
import {
  LIMITS,
  makeFactory,
  SCRIPT_AGENT,
  shellAgent,
  writeFiles,
  type Factory,
} from "../support/pawl.ts";
import { noWalls, WALLS } from "../support/walls.ts";

const DEACON = '[patrol]\ndeacon = "1 h"\n';

const ended = (factory: Factory, plugin: string): Promise<PluginRunView> =>
  factory.until(`${plugin} has ended`, async () => {
    const log = await factory.ok("plugin", "log", plugin, "--json");
    return (JSON.parse(log) as PluginRunView[]).findLast(({ result }) => result !== "running");
  });

/** For the first issue a plugin that the deacon would run at once, for the second a program that gets secrets. */
const PLANT = `
if [ "$PAWL_ISSUE" = 1 ]; then
  mkdir -p plugins/x && printf -- '---\\ngate: {type: cooldown, duration: 1 h}\\n---\\n' > plugins/x/plugin.md
  echo 'cp "$HOME/key" "$HOME/stolen"' > plugins/x/run.sh
else
  mkdir -p vault/handlers && printf '#!/bin/sh\\nenv\\n' > vault/handlers/deploy
fi
git add -A && git commit -qm "Work on $PAWL_ISSUE" && echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
sleep 60
`;

test("an agent's plugin, and an agent's program of the vault, wait for a person before they land", async () => {
  await using factory = await makeFactory({
    files: { "agent.sh": PLANT },
    config: `${shellAgent()}[ci]\nnone = true\n${LIMITS}${DEACON}`,
  });
  const inUser = (name: string): string => join(factory.root, "user", name);
  writeFileSync(inUser("key"), "secret\n");
  await factory.ok("up");
  await factory.register();
  await factory.addIssue({ title: "Plug" });
  await factory.addIssue({ title: "Handle" });
  const files = (): string => factory.git("ls-tree", "-r", "--name-only", "main");
  const whys = await factory.until("both wait for a person, or have landed", async () => {
    if (/plugins|vault/.test(files())) return ["it has landed"];
    const why = (await factory.status()).waits.map((wait) => wait.why);
    return why.length === 2 ? why.toSorted() : undefined;
  });
  expect(whys).toEqual([
    expect.stringContaining("it changes plugins/x/plugin.md, plugins/x/run.sh"),
    expect.stringContaining("it changes vault/handlers/deploy"),
  ]);
  await factory.ok("patrol", "run", "deacon");
  expect(await factory.ok("plugin", "list", "--json")).toBe("[]");
  expect(existsSync(inUser("stolen"))).toBe(false);

  await factory.ok("merge-queue", "approve", "1");
  await factory.until("what a person approved has landed", async () => /plugins/.test(files()));
  await factory.ok("patrol", "run", "deacon");
  expect(await ended(factory, "x")).toMatchObject({ result: "succeeded" });
  expect(readFileSync(inUser("stolen"), "utf8")).toBe("secret\n");
  expect(files()).not.toContain("vault/handlers");
});

const MANUAL = "---\ngate: {type: manual}\nrun: [sh, scripts/look.sh, manual]\n---\n";
const CHECKED = `---
gate: {type: condition, check: [sh, scripts/look.sh, check]}
run: [sh, scripts/look.sh, checked]
---
`;
/** It leaves a mark in the user's home, and tells of the user's key and of the daemon's folder. */
const LOOK = `cat seen.txt; : > "$HOME/mark-$1"
[ -e "$HOME/key" ] && echo key
[ -e "$PLACE/pawl.db" ] && echo journal
:
`;

test.skipIf(noWalls)(
  "what a plugin of the target runs is inside the walls, and a user's own plugin is not",
  async () => {
    await using factory = await makeFactory({
      config: `${SCRIPT_AGENT}[ci]\nnone = true\n${LIMITS}${DEACON}${WALLS}`,
    });
    const look = LOOK.replaceAll("$PLACE", factory.home);
    factory.commit({
      "seen.txt": "ran\n",
      "scripts/look.sh": look,
      "plugins/sweep/plugin.md": MANUAL,
      "plugins/when/plugin.md": CHECKED,
    });
    const user = join(factory.root, "user");
    writeFiles(user, {
      key: "secret\n",
      ".config/pawl/plugins/mine/plugin.md": "---\ngate: {type: manual}\n---\n",
      ".config/pawl/plugins/mine/run.sh": look.replaceAll("$1", "mine"),
    });
    const marks = (): string[] =>
      ["manual", "check", "checked", "mine"].filter((name) =>
        existsSync(join(user, `mark-${name}`)),
      );
    await factory.ok("up");
    await factory.register();
    // The first round finds them, the second one looks at their conditions.
    await factory.ok("patrol", "run", "deacon");
    await factory.ok("patrol", "run", "deacon");
    expect(await ended(factory, "when")).toMatchObject({ result: "succeeded", note: "ran" });
    await factory.ok("plugin", "run", "sweep");
    expect(await ended(factory, "sweep")).toMatchObject({ result: "succeeded", note: "ran" });
    expect(marks()).toEqual([]);

    await factory.ok("plugin", "run", "mine");
    expect(await ended(factory, "mine")).toMatchObject({ note: "ran\nkey\njournal" });
    expect(marks()).toEqual(["mine"]);
  },
);
