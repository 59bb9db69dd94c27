import { expect, test } from "vitest";
import { requestsInAnHour } from "../support/forge-hour.ts";

test("a project without a working agent costs its forge fewer than 60 requests an hour", async () => {
  const { api, git } = await requestsInAnHour({ runs: 0 });
  expect(api).toBeGreaterThan(30);
  expect(api + git).toBeLessThan(60);
});

test("PRs that wait for a review are not asked for while they do not change", async () => {
  const { api } = await requestsInAnHour({ runs: 3 });
  // One request a look, and two for each PR at the beginning.
  expect(api).toBeLessThan(130);
});
