// Tools that PATH names by a way through links, inside walls.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, expect, test } from "vitest";
import { createBwrapWalls } from "../../src/adapters/walls-bwrap/bwrap-walls.ts";
import type { Room } from "../../src/ports/walls.ts";
import { noWalls } from "../support/walls.ts";

const place = mkdtempSync(join(tmpdir(), "pawl-tools-"));
afterAll(() => rmSync(place, { recursive: true }));

test.skipIf(noWalls)(
  "a tool is found where the folder in PATH lies below a link of a folder that is shown",
  async () => {
    const shown = join(place, "shown");
    const bin = join(place, "elsewhere/bin");
    const cwd = join(place, "room");
    for (const folder of [shown, bin, cwd]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(bin, "mine"), "#!/bin/sh\necho the tool\n");
    chmodSync(join(bin, "mine"), 0o755);
    symlinkSync(join(place, "elsewhere"), join(shown, "link"));
    const mode = { mode: "bwrap", network: "none", tmpMb: 16, limits: {} } as const;
    const room: Room = {
      isolation: { ...mode, read: [shown], hosts: [], write: [], devices: [] },
      read: [],
      hidden: [],
      masked: [],
      write: [],
      cwd,
      env: {
        PATH: `${join(shown, "link/bin")}:${process.env["PATH"] ?? ""}`,
        HOME: join(cwd, "home"),
      },
    };
    const [program, ...words] = await createBwrapWalls().around(room, ["mine"]);
    const ended = spawnSync(program, words, { cwd, env: room.env, encoding: "utf8" });
    expect(ended.stderr).toBe("");
    expect(ended.stdout).toBe("the tool\n");
  },
);
