// Sessions inside walls work as they do without them; and where walls cannot be built, nothing starts.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { DoctorView } from "../../src/api/doctor.ts";
import { LIMITS, makeFactory, PATIENT_LIMITS, SCRIPT_AGENT, TEST_GATE } from "../support/pawl.ts";
import { sessionFactory } from "../support/sessions.ts";
import { noWalls, WALLS } from "../support/walls.ts";

const GREET = "```sh\necho hello > greeting.txt\ngit add -A\ngit commit -qm Greet\n```\n";

/** A gate and a set-up command see what an agent sees: neither the user's home nor the factory. */
const GATE = `for path in "$HOME/private" "${"$"}{PWD%/projects/*}/pawl.db"; do
  [ ! -e "$path" ] || { echo "$path can be seen"; exit 1; }
done
`;

test.skipIf(noWalls)("init writes bwrap, and an issue lands inside walls", async () => {
  await using factory = await makeFactory({ files: { "test.sh": GATE } });
  writeFileSync(join(factory.env["HOME"] ?? "", "private"), "");
  expect(await factory.ok("init", "--yes", "--dry-run")).toContain('mode = "bwrap"');
  const set = `[workspace]\nsetup = "sh test.sh"\nteardown = "sh test.sh"\n`;
  const config = `${SCRIPT_AGENT}${TEST_GATE}${LIMITS}${set}${WALLS}`;
  factory.commit({ "pawl.toml": factory.config(config) });
  const issue = await factory.addIssue({ title: "Add a greeting", body: GREET });
  await factory.ok("run", "--until-idle");
  expect(factory.git("show", "main:greeting.txt")).toBe("hello");
  expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed", epoch: 1 });
});

const AGENT = `
pawl status > "$SEEN/status" 2>&1; echo $? >> "$SEEN/status"
pawl issue show 1 > "$SEEN/issue" 2>&1
pawl hook set --summary "looks around" 2>> "$SEEN/errors"
pawl hook show > "$SEEN/hook" 2>&1
pawl mail send operator --subject hello --body hello >> "$SEEN/errors" 2>&1
pawl stop 1 > "$SEEN/stop" 2>&1; echo $? >> "$SEEN/stop"
trap 'note asked; exit 0' TERM
note ready
until [ -e "$SEEN/finish" ]; do sleep 0.05; done
`;

test.skipIf(noWalls)(
  "commands inside walls ask through the spool, and a session is watched and ended as any other",
  async () => {
    await using factory = await sessionFactory(AGENT, { more: WALLS });
    // The agents' notes go to a folder that is all they share with the machine.
    const notes = join(factory.root, "notes");
    mkdirSync(notes);
    const shared = factory
      .read("repo", "pawl.toml")
      .replace(`SEEN = "${factory.root}"`, `SEEN = "${notes}"`)
      .replace(LIMITS, PATIENT_LIMITS)
      .replace(WALLS, `${WALLS}write = ["${notes}"]\n`);
    factory.commit({ "pawl.toml": shared });
    const seen = (name: string): boolean => existsSync(join(notes, name));
    const left = (name: string): string => readFileSync(join(notes, name), "utf8");
    await factory.ok("issue", "add", "--title", "Look around");
    await factory.daemon();
    await factory.until("the agent has asked", async () => seen("ready-1-1"));
    expect(left("status")).toContain("Look around");
    expect(left("issue")).toContain("Look around");
    expect(left("hook")).toContain("looks around");
    expect(left("stop")).toMatch(/4\n$/);
    expect(await factory.ok("why", "1")).toContain("walls: bwrap; checked before the start");
    expect(await factory.ok("logs", "1")).toBeDefined();
    expect(await factory.agent()).toMatchObject({ status: "active", liveness: "green" });
    await factory.ok("stop", "1");
    await factory.until("the agent was asked to end", async () => seen("asked-1-1"));
    await factory.until("its session is over", async () =>
      (await factory.status()).runs.every(({ alive }) => !alive),
    );
  },
);

test("where bubblewrap was removed no agent starts, and the install line is said", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}[ci]\nnone = true\n${LIMITS}${WALLS}`,
  });
  const bin = join(factory.root, "bin");
  mkdirSync(bin);
  for (const folder of ["/usr/bin", "/bin", "/usr/local/bin"]) {
    for (const name of readdirSync(folder)) {
      if (name !== "bwrap" && !existsSync(join(bin, name))) {
        symlinkSync(join(folder, name), join(bin, name));
      }
    }
  }
  factory.env["PATH"] = `${dirname(process.execPath)}:${bin}`;
  const issue = await factory.addIssue({ title: "one", body: GREET });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect([code, stderr]).toEqual([8, expect.stringContaining("bwrap is not installed")]);
  expect(await factory.ok("escalation", "list")).toContain("apt-get install bubblewrap");
  expect(await factory.runOf(issue)).toMatchObject({ epoch: 0 });
});

test("where walls cannot be built no agent starts, and a person is asked once", async () => {
  await using factory = await makeFactory({
    config: `${SCRIPT_AGENT}[ci]\nnone = true\n${LIMITS}${WALLS}`,
  });
  const bin = join(factory.root, "bin");
  mkdirSync(bin);
  // As where the kernel refuses user namespaces.
  const refuses = `#!/bin/sh\n[ "$1" != --version ] || { echo bubblewrap 0.8.0; exit 0; }\necho "bwrap: No permissions to create new namespace" >&2\nexit 1\n`;
  writeFileSync(join(bin, "bwrap"), refuses);
  chmodSync(join(bin, "bwrap"), 0o755);
  factory.env["PATH"] = `${bin}:${factory.env["PATH"]}`;
  const issues: number[] = [];
  for (const title of ["one", "two"]) {
    issues.push(await factory.addIssue({ title, body: GREET.replace("greeting", title) }));
  }
  const daemon = factory.background("daemon");
  await factory.until("a person is asked", async () =>
    (await factory.status()).waits.some(({ why }) => why.includes("No permissions")),
  );
  const asked = await factory.ok("escalation", "list");
  expect(asked.match(/No permissions to create new namespace/g)).toHaveLength(1);
  const examined = await factory.pawl("doctor", "--json");
  const { checks } = JSON.parse(examined.stdout) as DoctorView;
  const report = (id: string) => checks.find((check) => check.id === id)?.troubles;
  expect(report("walls")).toMatchObject([{ what: expect.stringContaining("no agent starts") }]);
  const { runs } = await factory.status();
  expect(runs.every(({ epoch }) => epoch === 0)).toBe(true);

  // Nothing is lost: once walls can be built, the work goes on by itself.
  if (noWalls) return;
  writeFileSync(join(bin, "bwrap"), '#!/bin/sh\nexec /usr/bin/bwrap "$@"\n');
  await factory.ok("escalation", "list");
  daemon.kill("SIGTERM");
  await daemon.ended;
  await factory.ok("run", "--until-idle");
  for (const issue of issues) {
    expect(await factory.runOf(issue)).toMatchObject({ outcome: "landed" });
  }
});
