import { expect, test } from "vitest";
import type { StatusView } from "../../api/runs.ts";
import type { Deps } from "../deps.ts";
import { createHeading } from "./heading.ts";

const project = (name: string) => ({
  name,
  root: `/code/${name}`,
  target: null,
  parallel: 3,
  terms: [`budget: that of ${name}`],
});
const status = (...names: string[]): StatusView =>
  ({ projects: names.map(project) }) as unknown as StatusView;

function headed(meant: Parameters<typeof createHeading>[1] = {}) {
  const told: string[] = [];
  const deps = { stderr: (text: string) => told.push(text), cwd: "/code/toy/src", colour: false };
  return { told, heading: createHeading(deps as unknown as Deps, meant) };
}

const OPENING = "Working on toy (onto null, 3 at once). Ctrl-C stops Pawl; agents keep running.\n";

test("the heading and its terms are said once, for the project of the folder among all of them", async () => {
  const { told, heading } = headed();
  await Promise.all([heading(status("toy", "other")), heading(status("toy"), "toy")]);
  expect(told).toEqual([OPENING, "  budget: that of toy\n"]);
});

test("while another project is the only one that is known, nothing is said", async () => {
  const { told, heading } = headed();
  await heading(status("other"));
  expect(told).toEqual([]);
  await heading(status("other", "toy"), "toy");
  expect(told).toEqual([OPENING, "  budget: that of toy\n"]);
});

test("with --all-projects it names all of them", async () => {
  const { told, heading } = headed({ all: true });
  await heading(status("toy", "other"));
  expect(told[0]).toContain("Working on toy (onto null, 3 at once), other (");
  expect(told).toHaveLength(3);
});
