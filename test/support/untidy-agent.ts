// An agent that is killed at the worst moment: it has committed once and been told that CI is red,
// and is in the middle of everything at once. Its successor only waits, so that a test can look.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import type { RunView } from "../../src/api/runs.ts";
import { LIMITS, makeFactory, shellAgent } from "./pawl.ts";

/**
 * Root reads what is closed to everybody (`chmod 000`), so that for root a file over the limit
 * stands for what cannot be saved and is reported. For everybody else `closed.txt` is one more. A
 * FIFO has no content: git does not even list it.
 */
const UNTIDY = `
: > "$SEEN/started-$PAWL_EPOCH"
if [ "$PAWL_EPOCH" -gt 1 ]; then
  cp "$PAWL_PROMPT_FILE" "$SEEN/prompt.tmp"; mv "$SEEN/prompt.tmp" "$SEEN/prompt-$PAWL_EPOCH"
  until [ -e "$SEEN/go" ]; do sleep 0.1; done
  git rm -q --cached mistake.txt; rm -f mistake.txt pipe huge.bin; rm -rf inner; chmod 644 closed.txt
  git add -A; git commit -qm "All of the work"
  printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"; exit 0
fi
printf 'committed\\n' > committed.txt; : > mistake.txt
git add -A; git commit -qm "Half of the work"
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
until ls "$PAWL_INBOX"/new/*.md 2>/dev/null; do sleep 0.05; done
mv "$PAWL_INBOX"/new/*.md "$PAWL_INBOX/cur/"
printf 'staged\\n' > staged.txt; git add staged.txt; printf 'and more\\n' >> staged.txt
printf 'changed\\n' >> tracked.txt
rm deleted.txt
mkdir -p un/tracked; printf '\\000\\377bytes' > un/tracked/file.bin
printf 'one\\r\\ntwo\\r\\n' > crlf.txt
printf 'odd\\n' > "name with  spaces and é"
ln -s tracked.txt link; ln -s nowhere dangling
printf '#!/bin/sh\\n' > tool.sh; chmod 755 tool.sh
printf 'closed\\n' > closed.txt; chmod 000 closed.txt
mkfifo pipe
truncate -s 51M huge.bin
git init -q inner
( cd inner; git config user.name x; git config user.email x@y; printf '1\\n' > in.txt
  git add -A; git commit -qm Inside; printf '2\\n' >> in.txt; printf '3\\n' > new.txt )
setsid sh -c 'echo $$ > "$SEEN/child"; exec sleep 1000' < /dev/null > /dev/null 2>&1 &
until [ -s "$SEEN/child" ]; do sleep 0.05; done
: > "$SEEN/untidy"
while :; do sleep 0.2; done
`;

const GATE = '[ci]\ncommand = "sh test.sh"\n';

export type UntidyFactory = Awaited<ReturnType<typeof untidyFactory>>;

export async function untidyFactory(more = "") {
  const factory = await makeFactory({
    files: {
      "agent.sh": UNTIDY,
      "test.sh": "[ ! -e mistake.txt ]\n",
      ".gitattributes": "* text=auto\n",
      "tracked.txt": "tracked\n",
      "deleted.txt": "deleted\n",
    },
  });
  const agent = shellAgent(`env = { SEEN = "${factory.root}" }\n`);
  factory.commit({ "pawl.toml": factory.config(`${agent}${GATE}${LIMITS}${more}`) }, "Configure");
  const seen = (name: string): boolean => existsSync(join(factory.root, name));
  return {
    ...factory,
    seen,
    child: (): number => Number(factory.read("child")),
    /** Resolves when the agent is in the middle of everything. */
    untidy: async (): Promise<RunView> => {
      await factory.addIssue({ title: "Do everything at once" });
      await factory.until("the agent is in the middle", async () => seen("untidy"));
      return factory.runOf(1);
    },
    successor: async (epoch = 2): Promise<string> => {
      await factory.until(`life ${epoch} works`, async () => seen(`prompt-${epoch}`));
      return factory.read(`prompt-${epoch}`);
    },
  };
}

/** Every file below a folder, without repositories' own: mode, and content or where it leads. */
export function contentOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  const walk = (below: string): void => {
    for (const name of readdirSync(join(folder, below)).toSorted()) {
      const path = join(below, name);
      const stats = lstatSync(join(folder, path));
      const mode = (stats.mode & 0o111) === 0 ? "file" : "executable";
      if (name === ".git") continue;
      else if (stats.isDirectory()) walk(path);
      else if (stats.isSymbolicLink()) found[path] = `link ${readlinkSync(join(folder, path))}`;
      else if (stats.isFile()) found[path] = `${mode} ${hash(join(folder, path))}`;
      else found[path] = "neither";
    }
  };
  walk("");
  return found;
}

const hash = (path: string): string =>
  createHash("sha256").update(readFileSync(path)).digest("hex");

/** What git says of a workspace: commits, branch, and what is not committed. */
export function stateOf(folder: string): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: folder, encoding: "utf8", stdio: "pipe" });
  const inner = existsSync(join(folder, "inner", ".git"))
    ? execFileSync("git", ["status", "--porcelain", "--branch"], {
        cwd: join(folder, "inner"),
        encoding: "utf8",
      })
    : "";
  return [git("log", "--format=%H %s", "-3"), git("branch", "--show-current"), inner].join("\n");
}

/** Pids in the record that a life leaves in its folder. */
export function lifeOf(run: RunView): { wrapper: number; agent: number; dir: string } {
  const dir = join(dirname(run.log_path), String(run.epoch));
  const record = readFileSync(join(dir, "process"), "utf8");
  const pid = (who: string): number =>
    Number(new RegExp(`^${who} (\\d+)`, "m").exec(record)?.[1] ?? 0);
  return { wrapper: pid("wrapper"), agent: pid("agent"), dir };
}

export const groupOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")[2]);
