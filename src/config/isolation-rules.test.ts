import { expect, test } from "vitest";
import { parseConfig } from "./parse.ts";

const parse = (isolation: string) =>
  parseConfig(
    `[project]\nname = "toy"\ntarget = "main"\n[agent]\nruntime = "script"\n[ci]\nnone = true\n[isolation]\n${isolation}\n`,
    "pawl.toml",
  );
const messages = (isolation: string): string[] => {
  const parsed = parse(isolation);
  return parsed.kind === "invalid" ? parsed.problems.map(({ message }) => message) : [];
};

test.each(['network = "hosts"', 'network = "none"', "limits = { processes = 50 }"])(
  "%s is refused without walls, because nothing would enforce it",
  (line) => {
    const key = line.split(" ")[0];
    expect(messages(`mode = "none"\n${line}`)).toEqual([
      `isolation.${key} needs walls, and mode is "none": nothing would enforce it. Write mode = "bwrap", or remove ${key}.`,
    ]);
    expect(parse(`mode = "bwrap"\n${line}`).kind).toBe("valid");
  },
);

test("an open network needs no walls, and neither do hosts that are not used", () => {
  expect(parse('mode = "none"\nnetwork = "open"\nhosts = ["pypi.org"]').kind).toBe("valid");
});

test("podman is refused in one sentence that says what to write instead", () => {
  expect(messages('mode = "podman"').join(" ")).toContain(
    'isolation.mode "podman" is not offered. Write mode = "bwrap"',
  );
});

test("limits have the units of the configuration's other keys", () => {
  const parsed = parse(
    'mode = "bwrap"\nlimits = { memory_mb = 500, processes = 50, cpus = 0.5, file_mb = 10 }',
  );
  expect(parsed).toMatchObject({
    config: { isolation: { limits: { memoryMb: 500, processes: 50, cpus: 0.5, fileMb: 10 } } },
  });
});
