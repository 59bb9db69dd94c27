import { expect, test } from "vitest";
import {
  projectAggregate,
  projectName,
  projectOf,
  queueAggregate,
  runAggregate,
  runId,
  sessionId,
} from "./ids.ts";

const toy = projectName("toy");

test("every aggregate knows its project", () => {
  const aggregates = [projectAggregate(toy), queueAggregate(toy), runAggregate(toy, runId("42.1"))];
  expect(aggregates.map(projectOf)).toEqual(["toy", "toy", "toy"]);
});

test("a session's id says who, which life and where", () => {
  expect(sessionId(toy, "dev-42", 3)).toBe("dev-42-3@toy");
});
