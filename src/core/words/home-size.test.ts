import { expect, test } from "vitest";
import { homeOver } from "./home-size.ts";

test("the largest parts are named with the bound", () => {
  const parts = [
    { part: "workspaces", bytes: 18_000_000_000 },
    { part: "branches and checkpoints", bytes: 2_500_000_000 },
    { part: "journal", bytes: 40_000_000 },
    { part: "caches", bytes: 4096 },
  ];
  const use = { home: "/h/pawl", bytes: 20_540_004_096, maxBytes: 20_000_000_000, parts };
  expect(homeOver(use)).toBe(
    "/h/pawl takes 20.5 GB, and factory.toml allows 20.0 GB: workspaces 18.0 GB, branches and checkpoints 2.5 GB, journal 40.0 MB. Nothing more can be removed without losing work: answer or end runs that wait, or raise max_gb",
  );
});
