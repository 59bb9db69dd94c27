// An agent puts into its own folder what no honest one would: reports that are nested too deep to be walked,
// thousands of them, pipes, links and sparse files in place of files and folders. The daemon works on, reads
// nothing through a link, and the work lands.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sessionFactory } from "../support/sessions.ts";

const AGENT = `
deep() { node -e 'const [n, before, after] = process.argv.slice(1); process.stdout.write(before + "[".repeat(n) + "]".repeat(n) + after)' "$@"; }
drop() { cat > "$PAWL_SPOOL/tmp/$1" && mv "$PAWL_SPOOL/tmp/$1" "$PAWL_SPOOL/new/$1.json"; }
taken() { until [ ! -e "$PAWL_SPOOL/new/$1.json" ]; do sleep 0.05; done; }
deep 30000 '{"v":' '}' | drop deep-version; taken deep-version
deep 30000 '{"v":1,"kind":"question","text":"x","choices":' '}' | drop deep-choices; taken deep-choices
deep 20000 '{"v":1,"kind":"vault","id":"x","what":"w","risk":"low","reversible":true,"action":' '}' | drop deep-action; taken deep-action
mkfifo "$PAWL_SPOOL/new/pipe.json"; mkdir "$PAWL_SPOOL/new/folder.json"; ln -s "$SEEN/secret" "$PAWL_SPOOL/new/link.json"
truncate -s 10G "$PAWL_SPOOL/new/sparse.json"
i=0; while [ $i -lt 3000 ]; do echo '{"v":1,"kind":"tool","tool":"x"}' > "$PAWL_SPOOL/new/many-$i.json"; i=$((i + 1)); done
mkfifo "$PAWL_PHASE_FILE"
mv "$PAWL_INBOX/new" "$PAWL_INBOX/own" && ln -s "$SEEN/outside" "$PAWL_INBOX/new"
spool '{"v":1,"kind":"hook","summary":"still heard"}'
await heard
rm "$PAWL_INBOX/new" && mv "$PAWL_INBOX/own" "$PAWL_INBOX/new"; rm "$PAWL_PHASE_FILE"
echo work > work.txt && git add work.txt && git commit -qm Work && phase awaiting_ci
`;

test("hostile files in a session's folder stop neither the daemon nor the work", async () => {
  await using factory = await sessionFactory(AGENT);
  writeFileSync(
    join(factory.root, "secret"),
    '{"v":1,"kind":"hook","summary":"read through a link"}\n',
  );
  await factory.ok("issue", "add", "--title", "Be hostile");
  const daemon = await factory.daemon();
  await factory.until("its last report is known", async () =>
    (await factory.ok("hook", "show", "1")).includes("still heard"),
  );
  await factory.ok("nudge", "1", "a message for a folder that is a link").catch(() => "");
  factory.allow("heard");
  await factory.until("its work has landed", async () => factory.subjects().includes("Work"));
  expect((await factory.status()).daemon?.pid).toBe(daemon.pid);
  expect(existsSync(join(factory.root, "outside"))).toBe(false);
  const log = readFileSync(join(factory.home, "daemon.log"), "utf8");
  expect(log).not.toContain("Maximum call stack");
  expect(await factory.ok("signals", "--json")).not.toContain("read through a link");
});
