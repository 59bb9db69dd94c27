import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFiring } from "../../src/adapters/vault-firing/vault-firing.ts";
import { firingContract, type Outside } from "../../src/ports/firing.contract.ts";
import { startReceiver } from "../support/receiver.ts";

const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };
const firing = createFiring({ secret: async () => "s3cret", environment });

const ANSWERS = { well: 200, refusing: 500, mute: "hang-up", absent: 200 } as const;

firingContract("webhooks of the vault", async () => {
  let outside: Outside = "well";
  const receiver = await startReceiver(() => ANSWERS[outside]);
  const folder = mkdtempSync(join(tmpdir(), "pawl-vault-"));
  // Only root can listen there, and nothing does on loopback.
  const nowhere = "http://127.0.0.1:1";
  return {
    firing,
    become: async (next) => void (outside = next),
    action: (body) => ({
      kind: "webhook",
      endpoint: `${outside === "absent" ? nowhere : receiver.url}/hook`,
      method: "POST",
      headers: {},
      body,
    }),
    arrived: async () => receiver.received.map(({ text }) => text),
    folder,
    close: async () => {
      rmSync(folder, { recursive: true, force: true });
      await receiver[Symbol.asyncDispose]();
    },
  };
});

const ENDS = { well: "exit 0", refusing: "exit 3", mute: "kill -9 $$" } as const;

firingContract("commands of the vault", async () => {
  const folder = mkdtempSync(join(tmpdir(), "pawl-vault-"));
  const program = join(folder, "deploy");
  const log = join(folder, "log");
  // One write for each, so that two at once leave whole texts: a zero byte ends each.
  const script = (end: string): string =>
    `#!/bin/sh\ntext=$(cat; echo .)\nprintf '%s\\0' "\${text%.}" >> "${log}"\n${end}\n`;
  appendFileSync(log, "");
  return {
    firing,
    become: async (outside) => {
      if (outside === "absent") rmSync(program, { force: true });
      else writeFileSync(program, script(ENDS[outside]), { mode: 0o700 });
    },
    action: (input) => ({ kind: "command", argv: [program], env: {}, input }),
    arrived: async () => readFileSync(log, "utf8").split("\0").slice(0, -1),
    folder: join(folder, "v1"),
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
});
