// bubblewrap is removed while sessions live: they keep their walls, nothing starts without walls, a person
// is told, and once it is installed again all the work lands.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { agentPid } from "../support/agent-factory.ts";
import { LIMITS, makeFactory, shellAgent, TEST_GATE, type Factory } from "../support/pawl.ts";
import { noWalls, WALLS } from "../support/walls.ts";

/** Each start is noted with the namespace that it is in; the first one leaves work uncommitted. */
const AGENT = `
echo "$PAWL_EPOCH $(readlink /proc/self/ns/pid)" >> "$NOTES/starts-$PAWL_NAME"
if [ "$PAWL_EPOCH" = 1 ]; then
  echo half > "half-$PAWL_NAME"
  : > "$NOTES/begun-$PAWL_NAME"
  until [ -e "$NOTES/go-$PAWL_NAME" ]; do sleep 0.05; done
fi
echo whole > "whole-$PAWL_NAME"
git add -A && git commit -qm "Work on $PAWL_NAME" && echo PHASE:awaiting_ci > "$PAWL_PHASE_FILE"
`;
/** A gate notes where it ran, too. */
const GATE = 'readlink /proc/self/ns/pid >> "$NOTES/gates"\n';

/** All programs of the system but bubblewrap, which is there by a link of its own. */
function programs(factory: Factory): { bin: string; bwrap: string } {
  const bin = join(factory.root, "bin");
  mkdirSync(bin);
  for (const folder of ["/usr/bin", "/bin", "/usr/local/bin"]) {
    for (const name of readdirSync(folder)) {
      if (!existsSync(join(bin, name))) symlinkSync(join(folder, name), join(bin, name));
    }
  }
  return { bin, bwrap: join(bin, "bwrap") };
}

test.skipIf(noWalls)(
  "where bubblewrap is removed while agents work, nothing runs without walls, a person is told, and all work lands once it is back",
  async () => {
    await using factory = await makeFactory({ files: { "agent.sh": AGENT, "test.sh": GATE } });
    const { bin, bwrap } = programs(factory);
    factory.env["PATH"] = `${dirname(process.execPath)}:${bin}`;
    const notes = join(factory.root, "notes");
    mkdirSync(notes);
    const agent = shellAgent(`[agent.env]\nNOTES = "${notes}"\n`);
    const gate = TEST_GATE.replace("sh test.sh", `NOTES=${notes} sh test.sh`);
    const walls = `${WALLS}write = ["${notes}"]\n`;
    factory.commit({ "pawl.toml": factory.config(`${agent}${gate}${LIMITS}${walls}`) });
    const [finishes, dies] = [
      await factory.addIssue({ title: "Finish without bubblewrap" }),
      await factory.addIssue({ title: "Die without bubblewrap" }),
    ];
    const daemon = factory.background("daemon");
    for (const issue of [finishes, dies]) {
      await factory.until(`agent ${issue} works`, async () =>
        existsSync(join(notes, `begun-${issue}`)),
      );
    }

    renameSync(bwrap, `${bwrap}.removed`);
    writeFileSync(join(notes, `go-${finishes}`), "");
    process.kill(agentPid(await factory.runOf(dies)), "SIGKILL");
    const third = await factory.addIssue({ title: "Start without bubblewrap" });
    for (const issue of [finishes, dies]) {
      const reason = await factory.until(`a person is asked about ${issue}`, async () => {
        return (await factory.runOf(issue)).needs_you ?? undefined;
      });
      expect(reason).toContain("apt-get install bubblewrap");
      // No second agent has started.
      expect(readFileSync(join(notes, `starts-${issue}`), "utf8")).toMatch(/^1 pid:\S+\n$/);
    }
    await factory.until("a person is asked about new work", async () => {
      const { waits } = await factory.status();
      const asked = waits.find(({ about }) => about.startsWith("set-up fails"));
      return asked?.why.includes("apt-get install bubblewrap");
    });
    expect((await factory.status()).daemon?.pid).toBe(daemon.pid);
    expect(factory.subjects()).not.toContain(`Work on ${finishes}`);

    renameSync(`${bwrap}.removed`, bwrap);
    writeFileSync(join(notes, `go-${third}`), "");
    await factory.ok("escalation", "answer", "set-up", "try again");
    for (const issue of [finishes, dies]) {
      await factory.ok("escalation", "answer", String(issue), "It is installed again.");
    }
    for (const issue of [finishes, dies, third]) {
      await factory.until(`${issue} has landed`, async () => {
        const { outcome } = await factory.runOf(issue);
        return outcome === "landed";
      });
      expect(factory.git("show", `main:whole-${issue}`)).toBe("whole");
    }
    for (const issue of [finishes, dies]) {
      expect(factory.git("show", `main:half-${issue}`)).toBe("half");
    }
    // Every agent and every gate was in a namespace of its own.
    const outside = readlinkSync("/proc/self/ns/pid");
    const ran = readdirSync(notes)
      .filter((name) => /^(?:starts-|gates)/.test(name))
      .map((name) => readFileSync(join(notes, name), "utf8"));
    expect(ran).toHaveLength(4);
    for (const text of ran) expect(text).not.toContain(outside);
  },
);
