// A target on which others commit faster than the gates can run: nothing untested lands, a person is
// told, no commit is lost, and the work lands as soon as the target rests. Documented in docs/merge-queue.md.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { branch, list, makeQueue } from "../support/queue-cli.ts";
import type { Factory } from "../support/pawl.ts";

/** Commits to main every 0.1 s, as a person or a program in the user's checkout, until it is stopped. */
function startCommitting({ root, repo, env }: Factory) {
  const rest = join(root, "rest");
  const script = `number=0
while [ ! -e ${rest} ]; do
  echo $number > noise.txt && git add noise.txt && git commit -qm "Noise $number" && number=$((number + 1))
  sleep 0.1
done
echo $number > ${root}/commits`;
  const child = spawn("sh", ["-c", script], { cwd: repo, env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.on("close", resolve));
  return async (): Promise<void> => {
    writeFileSync(rest, "");
    await ended;
  };
}

/** Takes longer than the next commit, however slow the machine: it waits for it, until the target rests. */
const OVERTAKEN_GATE = `tip() { git -C "$HOME/../repo" rev-parse main; }
begun=$(tip)
until [ -e "$HOME/../rest" ] || [ "$(tip)" != "$begun" ]; do sleep 0.05; done
[ ! -e red.txt ] && cat noise.txt x.txt
`;

const landed = async (factory: Factory): Promise<boolean> =>
  (await list(factory, "--all")).some((entry) => entry.status === "merged");

test("a target that moves every 0.1 s is said aloud, loses no commit, and gets the work once it rests", async () => {
  await using factory = await makeQueue("", OVERTAKEN_GATE);
  factory.commit({ "noise.txt": "" }, "Be quiet");
  branch(factory, "x", { "x.txt": "1\n" });
  await factory.ok("up");
  const rest = startCommitting(factory);
  try {
    await factory.ok("merge-queue", "add", "x");
    const why = await factory.until("status says that the queue cannot keep up", async () => {
      const { waits } = await factory.status();
      return waits.find((one) => one.why.includes("before a tested commit could land"))?.why;
    });
    expect(why).toMatch(/the target moved \d+ times since/);
    expect(await landed(factory)).toBe(false);
  } finally {
    await rest();
  }
  await factory.until("it lands", () => landed(factory));
  const made = Number(factory.read("commits"));
  const noise = factory.subjects().filter((subject) => subject.startsWith("Noise"));
  expect(noise).toEqual(Array.from({ length: made }, (_, index) => `Noise ${index}`));
  expect(factory.subjects().at(-1)).toBe("Work of x");
  const { waits } = await factory.status();
  expect(waits.filter((one) => one.why.includes("before a tested commit"))).toEqual([]);
});
