import { describe, expect, test } from "vitest";
import {
  expectedRunsOfBatch,
  expectedRunsPerEntry,
  failureRate,
  learned,
  NOTHING_KNOWN,
  stepSize,
} from "./estimate.ts";

describe("the failure rate", () => {
  test("starts at one in four", () => {
    expect(failureRate(NOTHING_KNOWN)).toBeCloseTo(0.25);
  });

  test("follows what is seen", () => {
    expect(failureRate({ landed: 100, blamed: 100 })).toBeGreaterThan(0.4);
    expect(failureRate({ landed: 200, blamed: 0 })).toBeLessThan(0.01);
  });

  test("forgets: the rate follows a repository that changes", () => {
    let rate = learned(NOTHING_KNOWN, { landed: 10_000, blamed: 0 });
    for (let count = 0; count < 200; count += 1) rate = learned(rate, { landed: 0, blamed: 1 });
    expect(failureRate(rate)).toBeGreaterThan(0.5);
  });
});

describe("the step", () => {
  // The best batch sizes by the formula below.
  test.each([
    [0.01, 64],
    [0.02, 32],
    [0.05, 16],
    [0.1, 8],
    [0.2, 4],
    [0.3, 2],
    [0.4, 1],
    [0.9, 1],
    [0.0001, 64],
  ])("at a failure rate of %d is %i with one lane", (rate, step) => {
    expect(stepSize(rate, 1)).toBe(step);
  });

  // The optima of a simulation of full queues, to a power of two.
  test.each([
    [0.05, 2, 8],
    [0.1, 4, 4],
    [0.02, 8, 16],
    [0.2, 8, 1],
  ])("at a failure rate of %d with %i lanes is %i", (rate, lanes, step) => {
    expect(stepSize(rate, lanes)).toBe(step);
  });
});

describe("the expected number of gate runs", () => {
  // Each batch is finished before the next one begins.
  test.each([
    [0.01, 64, 0.099],
    [0.05, 16, 0.328],
    [0.1, 8, 0.518],
    [0.2, 4, 0.768],
    [0.3, 2, 0.905],
  ])("at %d in batches of %i is %d per entry by the formula", (rate, size, runs) => {
    expect(expectedRunsOfBatch(rate, size) / size).toBeCloseTo(runs, 3);
  });

  // The optima of a simulation of full queues.
  test.each([
    [0.02, 32, 0.14],
    [0.05, 16, 0.29],
    [0.1, 8, 0.48],
    [0.2, 4, 0.75],
    [0.3, 2, 0.89],
    [0, 8, 0.125],
  ])("at %d with steps of %i is %d per entry when batches are refilled", (rate, step, runs) => {
    expect(expectedRunsPerEntry(rate, step)).toBeCloseTo(runs, 1);
  });
});
