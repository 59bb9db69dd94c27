import { expect, test } from "vitest";
import { marksIn, parsePane } from "./panes.ts";
import { sessionName } from "./session-start.ts";
import { words } from "./tmux.ts";
import { oneLine } from "./typing.ts";

test("commands are divided by semicolons, and a word that ends in one stays a word", () => {
  expect(
    words([
      ["a", "x;"],
      ["b", ";"],
      ["c", "y;z"],
    ]),
  ).toEqual(["a", "x\\;", ";", "b", "\\;", ";", "c", "y;z"]);
});

test("names that tmux would change are changed first", () => {
  expect(sessionName("dev-toy-42")).toBe("dev-toy-42");
  expect(sessionName("dev-my.app:1 #{x}é")).toBe("dev-my_app_1___x__");
  expect(sessionName("-x")).toBe("_x");
  expect(sessionName("")).toBe("agent");
});

test("a line of the list is a pane, and a line of anything else is none", () => {
  expect(parsePane("build-1\t$3\t%7\t4711\t0\t2\t1763\tp r 1\t/a b")).toEqual([
    {
      session: "build-1",
      sessionId: "$3",
      pane: "%7",
      pid: 4711,
      dead: false,
      attached: true,
      activeAtS: 1763,
      life: "p r 1",
      dir: "/a b",
    },
  ]);
  expect(parsePane("")).toEqual([]);
});

test("a life is named by the marks of its session, and a session without marks is ignored", () => {
  expect(marksIn("toy 42.1 3")).toEqual({ project: "toy", run: "42.1", epoch: 3 });
  expect([marksIn(""), marksIn("toy"), marksIn("toy 42.1 x")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("typed text is one line without anything that presses keys", () => {
  expect(oneLine("  a\u001b[201~\r\n\tb\u0000\u009b c \n")).toBe("a[201~ b c");
});
