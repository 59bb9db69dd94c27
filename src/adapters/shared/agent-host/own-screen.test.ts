import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { OwnScreen } from "./own-screen.ts";

/** A second, as is usual, is too short on a busy machine. */
const seen = <T>(look: () => T): Promise<T> => vi.waitFor(look, { timeout: 20_000 });

function makeScreen(when: "always" | "on demand") {
  const dir = mkdtempSync(join(tmpdir(), "pawl-screen-"));
  const screen = new OwnScreen(when);
  onTestFinished(() => {
    screen.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const changes: boolean[] = [];
  screen.onChange(() => changes.push(screen.isShown));
  // Runs until a person closes it, once.
  const closed = join(dir, "closed");
  const script = `while [ ! -e ${closed} ]; do sleep 0.05; done; rm ${closed}`;
  const request = { argv: ["sh", "-c", script], env: { PATH: "/usr/bin:/bin" }, cwd: "/" };
  const closeIt = async (): Promise<void> => {
    writeFileSync(closed, "");
    await seen(() => expect(existsSync(closed)).toBe(false));
  };
  return { screen, changes, request, closeIt };
}

test("a screen on demand is shown when a person asks, and not again after they have closed it", async () => {
  const { screen, changes, request, closeIt } = makeScreen("on demand");
  screen.ready(request);
  expect(screen.isShown).toBe(false);
  screen.want();
  expect(screen.isShown).toBe(true);
  await closeIt();
  await seen(() => expect(screen.isShown).toBe(false));
  screen.ready(request);
  expect(changes).toEqual([true, false]);
});

test("a person who asks before there is something to show sees it then", () => {
  const { screen, request } = makeScreen("on demand");
  screen.want();
  expect(screen.isShown).toBe(false);
  screen.ready(request);
  expect(screen.isShown).toBe(true);
});

test("a screen that is always there is opened again", async () => {
  const { screen, changes, request, closeIt } = makeScreen("always");
  screen.ready(request);
  expect(screen.isShown).toBe(true);
  await closeIt();
  await seen(() => expect(changes).toEqual([true, false, true]));
});

test("a screen that is killed leaves no modes of its own in the terminal, unlike one that ends", async () => {
  const written: unknown[] = [];
  const write = vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    written.push(text);
    return true;
  });
  onTestFinished(() => write.mockRestore());
  for (const [end, resets] of [
    ["exit 1", 0],
    ["kill -KILL $$", 1],
  ] as const) {
    const { screen, changes, request } = makeScreen("on demand");
    screen.want();
    screen.ready({ ...request, argv: ["sh", "-c", end] });
    await seen(() => expect(changes).toEqual([true, false]));
    expect(written).toHaveLength(resets);
  }
  for (const mode of ["1049l", "1000l", "2004l", "25h"]) {
    expect(written[0]).toContain(`\u001B[?${mode}`);
  }
});
