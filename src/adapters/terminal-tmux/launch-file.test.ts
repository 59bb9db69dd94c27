import { expect, test } from "vitest";
import { renderLaunch } from "./launch-file.ts";

test("the file goes to the folder and becomes the agent with exactly this environment", () => {
  expect(renderLaunch({ cwd: "/w s", argv: ["agent", "a b"], env: { A: "1\n2" } })).toBe(
    `cd -- '/w s' || exit 126\nexec env -i 'TERM=tmux-256color' 'A=1\n2' 'agent' 'a b'\n`,
  );
});

test("a request may name its own terminal", () => {
  expect(renderLaunch({ cwd: "/", argv: ["x"], env: { TERM: "dumb" } })).toContain(
    "env -i 'TERM=dumb' 'x'",
  );
});

test("a program with = in its path is not taken for a variable", () => {
  expect(renderLaunch({ cwd: "/", argv: ["/a=b/x"], env: {} })).toContain(
    `'sh' '-c' 'exec "$@"' 'sh' '/a=b/x'`,
  );
});

test("what cannot be passed on is refused by name", () => {
  const render =
    (argv: string[], env = {}) =>
    () =>
      renderLaunch({ cwd: "/", argv, env });
  expect(render([])).toThrow("the command is empty");
  expect(render(["x", "a\0b"])).toThrow("NUL");
  expect(render(["x"], { "A=B": "1" })).toThrow(`"A=B" cannot be the name of a variable`);
});
