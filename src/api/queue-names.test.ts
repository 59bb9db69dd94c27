import { expect, test } from "vitest";
import { findEntry, plainLine, plainLines, type NamedEntry } from "./queue-names.ts";

const entry = (id: number, issue: number | undefined, pr?: number): NamedEntry => ({
  id,
  issue,
  pr,
  branch: issue === undefined ? `fix/${id}` : `pawl/${issue}`,
});

const QUEUE = [
  entry(1, 2, 12),
  entry(2, 1),
  entry(3, undefined),
  entry(4, 7),
  entry(7, undefined),
  entry(9, 5),
];

const found = (named: string): number => findEntry(QUEUE, named, (one) => one).id;

test.each([
  ["2", 1],
  ["#2", 1],
  ["1", 2],
  ["12", 1],
  ["#12", 1],
  ["e1", 1],
  ["e2", 2],
  ["pawl/2", 1],
  ["fix/3", 3],
  ["3", 3],
  ["#7", 4],
  ["e7", 7],
])("%s is entry %i", (named, id) => {
  expect(found(named)).toBe(id);
});

test.each([
  ["9", "#9 is not in the merge queue; entry 9 belongs to #5"],
  ["#9", "there is no entry #9"],
  ["7", "7 is two things in the merge queue: entry 7 (fix/7) and #7 (pawl/7)"],
  ["8", "there is no entry 8"],
  ["e8", "there is no entry e8"],
  ["main", "there is no entry main"],
  ["", "there is no entry "],
])("%s is refused: %s", (named, why) => {
  expect(() => found(named)).toThrow(why);
});

test("of several entries of one issue the latest is meant", () => {
  const twice = [entry(1, 5), entry(4, 5)];
  expect(findEntry(twice, "5", (one) => one).id).toBe(4);
});

test.each([
  [
    "pawl/7 at 12ab was queued as entry 3 of #7 (for the first time, priority 0)",
    "pawl/7 at 12ab was queued as e3 of #7 (for the first time)",
  ],
  [
    "tested alone: passed (remembered)",
    "tested alone: passed (known from an earlier test of the same files)",
  ],
  [
    "tested as 2 of 2: passed (flaky, remembered)",
    "tested as 2 of 2: passed (flaky, known from an earlier test of the same files)",
  ],
  [
    "conflicts with entry 2 (top), entry 4 (#9): list.txt",
    "conflicts with e2 (top), e4 (#9): list.txt",
  ],
  [
    'changed there by 12ab "Delete entry 5 of the list" (entry 6, docs)',
    'changed there by 12ab "Delete entry 5 of the list" (e6, docs)',
  ],
])("an explanation names entries as lists do: %s", (text, plain) => {
  expect(plainLine(text)).toBe(plain);
});

const line = (kind: string, text: string) => ({ kind, text });

test("a test that is repeated says why, the reason is that of the list, and a silent gate says so", () => {
  const lines = [
    line("evidence", "tested alone: failed: test"),
    line("evidence", "tested alone: failed: test"),
    line("end", "sent back: red on top of a green target (test)"),
    line("output", "| "),
    line("output", "whole output: /p/test.log"),
  ];
  expect(plainLines(lines).map(({ text }) => text)).toEqual([
    "tested alone: failed: test",
    "tested alone once more, in case the failure was flaky: failed: test",
    "sent back: test passes on the target and fails with this branch on it",
    "| (the gate printed nothing)",
    "whole output: /p/test.log",
  ]);
});

test("what a gate wrote, and what a commit says, stays as it is", () => {
  const lines = [
    line("end", 'sent back: conflicts, changed there by 12ab "Delete entry 5" (entry 6, docs)'),
    line("output", "| entry 5"),
    line("output", "| "),
  ];
  expect(plainLines(lines).map(({ text }) => text)).toEqual([
    'sent back: conflicts, changed there by 12ab "Delete entry 5" (e6, docs)',
    "| entry 5",
    "| ",
  ]);
});
