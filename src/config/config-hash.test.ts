import { expect, test } from "vitest";
import { configHash } from "./config-hash.ts";

test("copies with other line ends have one name, any other change has another", () => {
  const text = '[project]\nname = "toy"\ntarget = "main"\n';
  expect(configHash(text.replaceAll("\n", "\r\n"))).toBe(configHash(text));
  expect(configHash(`${text}\n`)).toBe(configHash(text));
  const names = new Set<string>();
  for (let at = 0; at < text.trimEnd().length; at += 1) {
    names.add(configHash(`${text.slice(0, at)}x${text.slice(at)}`));
  }
  // The x beside an x of the text would be the same change twice: there is none in it.
  expect(names.size).toBe(text.trimEnd().length);
  expect(configHash("")).toMatch(/^[0-9a-f]{16}$/);
});
