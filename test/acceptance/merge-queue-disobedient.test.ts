// AC-3.5: zero direct moves of the target. An agent that wants its red work on main tries everything
// that git offers from its workspace: push, update-ref, configuration, hooks, gc. None of it moves
// main, none of it runs inside Pawl's own git, and the next obedient commit lands as if nothing was.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LIMITS, makeFactory, shellAgent, type Factory } from "../support/pawl.ts";
import { makeQueueUpstream } from "../support/queue-cli.ts";

/** Every try is noted with its exit code; the last commit is the one that may land. */
const AGENT = `
try() { "$@" >> "$HOME/output" 2>&1; echo "$? $*" >> "$HOME/tries"; }
hub=$(git remote get-url origin)
echo evil > evil.txt && git add evil.txt && git commit -qm Evil
evil=$(git rev-parse HEAD)
try git push origin HEAD:main
try git push --force origin "$evil:refs/heads/main"
try git push "$hub" "$evil:refs/heads/main"
try git push "$hub" "+$evil:refs/pawl/target/main"
git config remote.origin.pushurl "$hub"
try git push origin "$evil:refs/heads/main"
try git update-ref refs/heads/main "$evil"
try git update-ref refs/remotes/origin/main "$evil"
try git branch -f main "$evil"
for key in core.hooksPath core.sshCommand core.editor core.pager; do git config $key "$PWD/trap"; done
git config core.fsmonitor "$PWD/trap"
git config filter.evil.clean "$PWD/trap" && git config filter.evil.smudge "$PWD/trap"
git config uploadpack.packObjectsHook "$PWD/trap"
git config alias.fetch "!$PWD/trap"
echo '* filter=evil' > .git/info/attributes
printf '#!/bin/sh\\ntouch "$HOME/trapped"\\n[ -t 0 ] || cat\\n' > trap && chmod +x trap
mkdir -p .git/hooks
for hook in pre-push post-commit reference-transaction post-checkout pre-auto-gc post-index-change; do
  cp trap ".git/hooks/$hook"
done
try git gc --prune=now --quiet
try git reflog expire --expire=now --all
rm -f "$HOME/trapped"
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
until grep -q 'Kind: ci-failed' "$PAWL_INBOX"/new/* 2>/dev/null; do sleep 0.05; done
mv "$PAWL_INBOX"/new/* "$PAWL_INBOX/cur/"
# Until here only Pawl's own git was at work.
[ ! -e "$HOME/trapped" ] || touch "$HOME/trapped-by-pawl"
git -c core.hooksPath=/dev/null -c core.fsmonitor=false rm -qf --cached evil.txt
rm -f evil.txt trap .git/info/attributes && echo good > good.txt
git -c core.hooksPath=/dev/null -c core.fsmonitor=false add good.txt
rm -f "$HOME/trapped"
git -c core.hooksPath=/dev/null -c core.fsmonitor=false commit -qm Good
printf 'PHASE:awaiting_ci\\n' > "$PAWL_PHASE_FILE"
until grep -q 'Kind: landed' "$PAWL_INBOX"/new/* 2>/dev/null; do sleep 0.05; done
`;

const GATE = "[ ! -e evil.txt ]\n";
const CONFIG = `${shellAgent()}[ci]\ncommand = "sh test.sh"\n[merge]\nstrategy = "squash"\n${LIMITS}`;

async function work(factory: Factory): Promise<string[]> {
  await factory.addIssue({ title: "Be good" });
  const { code, stderr } = await factory.pawl("run", "--until-idle");
  expect(code, stderr).toBe(0);
  for (const name of ["trapped-by-pawl", "trapped"]) {
    expect(existsSync(join(factory.root, "user", name)), name).toBe(false);
  }
  return factory.read("user", "tries").trim().split("\n");
}

test("AC-3.5: nothing that an agent does from its workspace moves main, without a remote", async () => {
  await using factory = await makeFactory({
    config: CONFIG,
    files: { "agent.sh": AGENT, "test.sh": GATE },
  });
  const tries = await work(factory);
  const pushes = tries.filter((line) => line.includes(" git push"));
  expect(pushes).toHaveLength(5);
  expect(pushes.filter((line) => line.startsWith("0 "))).toEqual([]);
  expect(factory.subjects()).toEqual(["Be good (#1)"]);
  expect(factory.git("ls-tree", "--name-only", "main")).not.toContain("evil.txt");
  // Begin, and one landing by compare-and-swap.
  const moves = factory.git("reflog", "show", "--format=%gs", "main").split("\n");
  expect(moves).toEqual(["pawl: land", "commit (initial): Begin"]);
  expect(factory.git("config", "--list", "--local")).not.toContain("trap");
  expect(factory.git("fsck", "--full")).not.toMatch(/missing|broken/);
});

test("AC-3.5: nothing that an agent does from its workspace moves upstream's main", async () => {
  await using factory = await makeQueueUpstream();
  factory.commit(
    { "agent.sh": AGENT, "test.sh": GATE, "pawl.toml": factory.config(CONFIG) },
    "Begin again",
  );
  factory.git("push", "-q", "origin", "main");
  const tries = await work(factory);
  expect(tries.filter((line) => line.startsWith("0 git push"))).toEqual([]);
  const subjects = factory.inUpstream("log", "--format=%s", "main").split("\n");
  expect(subjects).toEqual(["Be good (#1)", "Begin again", "Begin"]);
  const moves = factory.inUpstream("reflog", "show", "--format=%gs", "main").split("\n");
  expect(moves).toEqual(["push", "push"]);
});
