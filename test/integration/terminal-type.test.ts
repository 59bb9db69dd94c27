// Typing reaches the life that is meant, as one line, or says that it is gone.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exited, makeWorld } from "../support/terminal-world.ts";
import type { Life, World } from "../support/terminal-world.ts";

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.close());

const READ_LINE = `echo ready; IFS= read -r line; printf %s "$line" >"$OUT/got"`;

async function reader(run: string, script = READ_LINE): Promise<Life> {
  const life = await world.start({ run, script });
  await expect.poll(() => readFileSync(life.logFile, "utf8")).toContain("ready");
  return life;
}

test("a line arrives as it is, with one Enter", async () => {
  const life = await reader("line");
  const text = `it's $(id) "x" \\ #{pane_id} é🙂 ends in ;`;
  expect(await world.terminal.type({ ...life.spawned, text })).toBe("typed");
  await exited(world.files, life.dir);
  expect(readFileSync(join(life.dir, "got"), "utf8")).toBe(text);
});

test("escape sequences, control characters and line breaks cannot press keys", async () => {
  const life = await reader("control");
  const text = "a\u001b[201~b\u0003c\nd\r\n\te\u009b5m";
  expect(await world.terminal.type({ ...life.spawned, text })).toBe("typed");
  await exited(world.files, life.dir);
  expect(readFileSync(join(life.dir, "got"), "utf8")).toBe("a[201~bc d e5m");
});

test("a paste waits for its Enter, and the pane keeps whose paste it was", async () => {
  const life = await reader("paste");
  const { pane } = life.spawned;
  const paste = { ...life.spawned, text: "typed in two steps", as: "paste" } as const;
  expect(await world.terminal.type({ ...paste, mark: "m1" })).toBe("typed");
  await expect
    .poll(() => world.terminal.capture({ pane, lines: 3 }))
    .toMatchObject({ text: expect.stringContaining("typed in two steps"), pasted: "m1" });
  expect(await world.terminal.type({ ...life.spawned, text: "", as: "enter" })).toBe("typed");
  await exited(world.files, life.dir);
  expect(readFileSync(join(life.dir, "got"), "utf8")).toBe("typed in two steps");
  expect(world.tmux("list-buffers")).toBe("");
});

test("a paste that is asked for again before its program shows it is pasted once", async () => {
  const life = await reader("again");
  const paste = { ...life.spawned, text: "once", as: "paste", mark: "m1" } as const;
  expect(await world.terminal.type(paste)).toBe("typed");
  expect(await world.terminal.type(paste)).toBe("typed");
  expect(await world.terminal.type({ ...paste, text: ", then another", mark: "m2" })).toBe("typed");
  expect(await world.terminal.type({ ...life.spawned, text: "", as: "enter" })).toBe("typed");
  await exited(world.files, life.dir);
  expect(readFileSync(join(life.dir, "got"), "utf8")).toBe("once, then another");
});

test("a paste is repeated a minute later, and after the clock was set back", async () => {
  const life = await reader("later");
  const paste = { ...life.spawned, text: "x", as: "paste", mark: "m1" } as const;
  expect(await world.terminal.type(paste)).toBe("typed");
  for (const ms of [-60_000, 3_600_000]) {
    const at = String(Date.now() + ms);
    world.tmux("set-option", "-p", "-t", life.spawned.pane, "@pawl_pasted_at", at);
    expect(await world.terminal.type(paste)).toBe("typed");
  }
  expect(await world.terminal.type({ ...life.spawned, text: "", as: "enter" })).toBe("typed");
  await exited(world.files, life.dir);
  expect(readFileSync(join(life.dir, "got"), "utf8")).toBe("xxx");
});

test("a pane that was scrolled still gets the Enter", async () => {
  const life = await reader("scrolled");
  world.tmux("copy-mode", "-t", life.spawned.pane);
  expect(await world.terminal.type({ ...life.spawned, text: "through" })).toBe("typed");
  await exited(world.files, life.dir);
  expect(readFileSync(join(life.dir, "got"), "utf8")).toBe("through");
});

test("a life that is over, another life's pane and a missing pane are gone, and no buffer is left", async () => {
  const over = await world.start({ run: "over", script: "exit 0" });
  await exited(world.files, over.dir);
  await expect.poll(() => world.terminal.probe(over.spawned.process)).toBe("dead");
  const other = await reader("bystander");
  const mine = await reader("mine");
  const type = (pane: string, life: Life) =>
    world.terminal.type({ pane, process: life.spawned.process, text: "wrong" });
  expect(await type(other.spawned.pane, over)).toBe("gone");
  expect(await type(other.spawned.pane, mine)).toBe("gone");
  expect(await type("%999", mine)).toBe("gone");
  expect(world.tmux("list-buffers")).toBe("");
  expect(await world.terminal.type({ ...other.spawned, text: "right" })).toBe("typed");
  await exited(world.files, other.dir);
  expect(readFileSync(join(other.dir, "got"), "utf8")).toBe("right");
});

test("screens are read without escape sequences, many in one question up to a pane that is gone", async () => {
  const before = await reader("before");
  const life = await reader(
    "screen",
    String.raw`printf '\033[31mone\033[0m\ntwo\nready\n'; read -r x`,
  );
  const { pane } = life.spawned;
  expect(await world.terminal.capture({ pane, lines: 2 })).toEqual({
    text: "two\nready",
    pasted: undefined,
  });
  expect(await world.terminal.capture({ pane: "%999", lines: 2 })).toBe("unknown");
  expect(await world.terminal.screens([before.spawned.pane, pane, "%999", "no pane"])).toEqual(
    new Map([
      [before.spawned.pane, "ready"],
      [pane, "one\ntwo\nready"],
    ]),
  );
});

test("a person who attaches by the command is seen, and the agent is sized as asked", async () => {
  const life = await reader("attach");
  const observed = async () => {
    const panes = await world.terminal.panes();
    return panes === "unknown" ? undefined : panes.find((pane) => pane.tmuxSession === "attach");
  };
  expect(await observed()).toEqual({
    tmuxSession: "attach",
    pane: life.spawned.pane,
    dead: false,
    attached: false,
    activeAtS: expect.any(Number),
    marks: expect.objectContaining({ epoch: expect.any(Number) }),
  });
  expect(
    world.tmux("display-message", "-p", "-t", life.spawned.pane, "#{pane_width}x#{pane_height}"),
  ).toBe("120x40\n");
  // A pane of this very server serves as the person's terminal.
  const start = ["-u", "-S", world.socket, "new-session", "-d", "-s", "person"];
  const attach = ["tmux", "-S", world.socket, "attach-session", "-t", "=attach"];
  execFileSync("tmux", [...start, "env", "-u", "TMUX", ...attach]);
  await expect.poll(async () => (await observed())?.attached).toBe(true);
  world.tmux("kill-session", "-t", "=person");
});

test("a person's keys arrive byte for byte, without an Enter of their own", async () => {
  const life = await reader("raw");
  const type = (text: string) => world.terminal.type({ ...life.spawned, text, as: "raw" });
  expect([await type("grü🙂x\u007f ;"), await type("\r")]).toEqual(["typed", "typed"]);
  await exited(world.files, life.dir);
  expect(readFileSync(join(life.dir, "got"), "utf8")).toBe("grü🙂 ;");
});

test("a screen is painted with its colours and its cursor, and no client counts as attached", async () => {
  const script = `printf 'one\\n\\033[31mred\\033[m> ready'; read -r line`;
  const life = await reader("painted", script);
  const painted = await world.terminal.paint(life.spawned.pane);
  expect(painted).toMatchObject({ size: { columns: 120, rows: 40 } });
  const text = painted === "unknown" ? "" : painted.text;
  expect(text).toContain("one\r\n\u001b[31mred\u001b[39m> ready");
  expect(text.endsWith("\u001b[2;11H")).toBe(true);
  const panes = await world.terminal.panes();
  expect(panes).toContainEqual(
    expect.objectContaining({ pane: life.spawned.pane, attached: false }),
  );
});
