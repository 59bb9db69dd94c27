import { expect, test } from "vitest";
import type { Client } from "../client.ts";
import { whileWorking, withSign } from "./while-working.ts";

const CLEAR = "\u001B[2K\u001B[G";

/** `drawn` resolves when something is written. */
function terminal(columns: number) {
  const written: string[] = [];
  const drawn = Promise.withResolvers<void>();
  const stderr = (text: string): void => {
    written.push(text);
    drawn.resolve();
  };
  return { written, drawn: drawn.promise, stderr, stderrColumns: () => columns, now: () => 0 };
}

test("work that takes long says so on a terminal, and the line is gone when it is over", async () => {
  const slow = terminal(80);
  const result = await whileWorking(slow, { what: "starting", afterMs: 1 }, async (say) => {
    await slow.drawn;
    say("news\n");
    return 7;
  });
  expect(result).toBe(7);
  const line = `${CLEAR}starting … 1 s`;
  expect(slow.written).toEqual([line, `${CLEAR}news\n`, line, CLEAR]);
});

test("nothing is written by work that is over soon, nor into a pipe", async () => {
  const soon = terminal(80);
  await whileWorking(soon, { what: "starting" }, async () => undefined);
  const pipe = terminal(0);
  await whileWorking(pipe, { what: "starting", afterMs: 0 }, async (say) => say("news\n"));
  expect([soon.written, pipe.written]).toEqual([[], ["news\n"]]);
});

test("a slow answer is shown, also after one that failed; one to a command that follows is not", async () => {
  const screen = terminal(80);
  const client = {
    get: async () => screen.drawn.then(() => "answer"),
    post: async () => Promise.reject(new Error("refused")),
    follow: async () => "follower",
  } as unknown as Client;
  const signed = withSign(client, screen, 1);
  await expect(signed.post("/", {})).rejects.toThrow("refused");
  expect(await signed.get("/")).toBe("answer");
  expect(screen.written).toEqual([`${CLEAR}working … 1 s`, CLEAR]);
  await signed.follow();
  expect(await signed.get("/")).toBe("answer");
  expect(screen.written).toHaveLength(2);
});
