// Commits that Pawl writes without a git are those that git would have written.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeCommit, type NewCommit } from "../../src/adapters/git-cli/commits.ts";
import { createContext } from "../../src/adapters/git-cli/context.ts";
import { gitEnvironment } from "../../src/adapters/git-cli/environment.ts";
import { treeId, type Commit } from "../../src/core/ids.ts";
import { noCrash } from "../../src/lib/crash-point.ts";

const ODD_PEOPLE = [
  { name: "Ada Lovelace", email: "ada@example.org" },
  { name: ' "Ada, <the> first".; ', email: "<ada@example.org>" },
  { name: "Äda Løvelace 👩‍💻", email: "" },
];

test.each(["sha1", "sha256"])(
  "a commit in a %s repository has git's own id, also where a parent is named twice",
  async (format) => {
    const hub = mkdtempSync(join(tmpdir(), "pawl-commit-"));
    onTestFinished(() => rmSync(hub, { recursive: true, force: true }));
    const env = gitEnvironment(process.env, "private");
    const git = (args: string[], more: { input?: string; env?: NodeJS.ProcessEnv } = {}): string =>
      execFileSync("git", args, {
        cwd: hub,
        encoding: "utf8",
        stdio: "pipe",
        ...more,
        env: { ...env, ...more.env },
      }).trim();
    git(["init", "-q", "--bare", `--object-format=${format}`, "."]);
    const tree = treeId(git(["mktree"], { input: "" }));
    const context = createContext({
      hub,
      upstream: { kind: "local", path: hub },
      target: "main",
      config: { sign: false, author: { name: "Pawl.", email: "pawl@localhost" } },
      crash: noCrash,
    });
    const byGit = (commit: NewCommit): string =>
      git(["commit-tree", tree, ...commit.parents.flatMap((parent) => ["-p", parent]), "-F", "-"], {
        input: commit.message,
        env: {
          GIT_AUTHOR_NAME: commit.author.name,
          GIT_AUTHOR_EMAIL: commit.author.email,
          GIT_AUTHOR_DATE: `@${commit.authorDate}`,
          GIT_COMMITTER_NAME: "Pawl.",
          GIT_COMMITTER_EMAIL: "pawl@localhost",
          GIT_COMMITTER_DATE: `@${commit.committedAtS} +0000`,
        },
      });
    const parents: Commit[] = [];
    for (const author of ODD_PEOPLE) {
      const message = `by ${author.name}\n\nmore\n`;
      const dates = { authorDate: "1700000000 -0330", committedAtS: 1_700_000_001 };
      const commit = { tree, parents: [...parents, ...parents], message, author, ...dates };
      const written = await writeCommit(context, commit);
      expect(git(["cat-file", "-t", written])).toBe("commit");
      expect(written).toBe(byGit(commit));
      parents.push(written);
    }
    expect(git(["fsck", "--strict", "--no-dangling"])).toBe("");
  },
);
