// The merge queue and work that is out to get past it: spoiled checkouts, files of the gates, size.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { branch, landAll, makeQueue } from "../support/queue-cli.ts";

test("a gate that moves a tracked folder away and links it back does not let the next branch land red", async () => {
  await using factory = await makeQueue();
  const cache = join(factory.root, "cache");
  const gate =
    'for f in content/*.txt; do [ -e "$f" ] || continue; grep -q "$(cat version.txt)" "$f" || exit 1; done\n';
  const files = { "version.txt": "one\n", "content/a.txt": "one\n", "test.sh": gate };
  factory.commit(files, "Every file names the version");
  const trick = `if [ -d content ] && [ ! -L content ]; then rm -rf ${cache}; mv content ${cache}; ln -s ${cache} content; fi\n`;
  branch(factory, "cached", { "test.sh": `${gate}${trick}` });
  expect((await landAll(factory, "cached")).status).toEqual({ cached: "merged" });
  expect(existsSync(cache)).toBe(true);
  branch(factory, "red", { "version.txt": "two\n" });
  expect((await landAll(factory, "red")).status).toMatchObject({ red: "returned" });
  expect(factory.git("show", "main:version.txt")).toBe("one");
});
