import { expect, test } from "vitest";
import { hiddenInside } from "./hidden-inside.ts";

const MACHINE = { home: "/home/ada", path: "/usr/bin:/home/ada/.local/bin" };
const WALLS = {
  mode: "bwrap",
  network: "open",
  hosts: [],
  read: [],
  write: [],
  devices: [],
  tmpMb: 1,
} as const;

const hidden = (command: string[], walls: Partial<typeof WALLS> | { read: string[] } = {}) =>
  hiddenInside(
    {
      agent: { runtime: "command", command, passEnv: [], env: {} } as never,
      isolation: { ...WALLS, ...walls } as never,
    },
    MACHINE,
  );

test.each([
  ["a file of the home", ["sh", "/home/ada/agent.sh"], ["/home/ada/agent.sh"]],
  ["a file of /tmp", ["sh", "/tmp/agent.sh"], ["/tmp/agent.sh"]],
  ["a file of the workspace", ["sh", "agent.sh"], []],
  ["a file of the system", ["/usr/bin/agent"], []],
  ["a program on the PATH", ["/home/ada/.local/bin/agent"], []],
  ["the home of another user", ["sh", "/home/adam/agent.sh"], []],
])("%s: whether walls hide it", (_, command, expected) => {
  expect(hidden(command)).toEqual(expected);
});

test("what [isolation] read names is not hidden", () => {
  expect(hidden(["sh", "/home/ada/bin/agent.sh"], { read: ["~/bin"] })).toEqual([]);
});

test("without walls nothing is hidden", () => {
  const agent = { command: ["sh", "/tmp/agent.sh"] } as never;
  expect(hiddenInside({ agent }, MACHINE)).toEqual([]);
  expect(hiddenInside({ agent, isolation: { mode: "none" } as never }, MACHINE)).toEqual([]);
});
