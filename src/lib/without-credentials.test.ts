import { expect, test } from "vitest";
import { withoutCredentials } from "./without-credentials.ts";

test("nothing before the host of a URL is shown, and a URL without credentials stays as it is", () => {
  for (const before of ["ann:secret@", "token@", ":@", "ann:p@ss@"]) {
    expect(withoutCredentials(`https://${before}forge.example/a/b@c.git`)).toBe(
      "https://forge.example/a/b@c.git",
    );
  }
  for (const url of ["https://forge.example/a/b@c.git", "git@forge.example:a/b.git", "/a/b.git"]) {
    expect(withoutCredentials(url)).toBe(url);
  }
});
