// Makes a repository large, by one stream into `git fast-import`: many files, or much history. Its
// last commit stays checked out.
import { spawn } from "node:child_process";
import { randomFillSync } from "node:crypto";
import { once } from "node:events";

type Place = { repo: string; env: Record<string, string> };

/** `count` small files, 100 in each folder. */
export const addManyFiles = (place: Place, count: number): Promise<void> =>
  fastImport(place, function* () {
    yield commitLines("Many files");
    for (let number = 0; number < count; number += 1) {
      const folder = `d${Math.floor(number / 10_000)}/e${Math.floor(number / 100) % 100}`;
      yield `M 100644 inline ${folder}/f${number}.txt\n`;
      yield dataLines(Buffer.from(`file ${number}\n`.repeat(10)));
    }
  });

/** So many commits, each of which replaces a file of 1 MB that cannot be compressed. */
export const addHistory = (place: Place, megabytes: number): Promise<void> =>
  fastImport(place, function* () {
    const content = Buffer.alloc(1024 * 1024);
    for (let number = 1; number <= megabytes; number += 1) {
      yield commitLines(`Version ${number}`, number > 1);
      yield "M 100644 inline blob.bin\n";
      yield dataLines(randomFillSync(content));
    }
  });

const dataLines = (content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`data ${content.length}\n`), content, Buffer.from("\n")]);

function commitLines(subject: string, isNext = false): string {
  const who = "committer Ada <ada@example.org> 1700000000 +0000";
  const from = isNext ? "" : "from refs/heads/main^0\n";
  return `commit refs/heads/main\n${who}\ndata ${subject.length}\n${subject}\n${from}`;
}

async function fastImport(
  { repo, env }: Place,
  lines: () => Generator<string | Buffer>,
): Promise<void> {
  // What cannot be compressed need not be tried.
  const args = ["-c", "core.compression=1", "fast-import", "--quiet", "--depth=0"];
  await feed("git", { args, repo, env }, lines);
  await feed("git", { args: ["reset", "-q", "--hard", "main"], repo, env }, function* () {});
}

async function feed(
  program: string,
  { args, repo, env }: Place & { args: string[] },
  lines: () => Generator<string | Buffer>,
): Promise<void> {
  const child = spawn(program, args, { cwd: repo, env, stdio: ["pipe", "ignore", "inherit"] });
  const exit = once(child, "exit");
  for (const line of lines()) {
    if (!child.stdin.write(line)) await once(child.stdin, "drain");
  }
  child.stdin.end();
  const [code] = await exit;
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} exited ${String(code)}`);
}
