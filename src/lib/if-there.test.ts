import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ifThere } from "./if-there.ts";

const HERE = import.meta.dirname;
const THIS_FILE = import.meta.filename;

test("what is there is found", async () => {
  expect(await ifThere(readdir(HERE))).toContain("if-there.ts");
});

test("nothing is found where nothing is, also below a file", async () => {
  expect(await ifThere(readFile(join(HERE, "nothing"), "utf8"))).toBeUndefined();
  expect(await ifThere(readFile(join(THIS_FILE, "below"), "utf8"))).toBeUndefined();
});

test("any other failure stays one", async () => {
  await expect(ifThere(readFile(HERE, "utf8"))).rejects.toThrow("EISDIR");
});
