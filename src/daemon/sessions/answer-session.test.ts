import { expect, test } from "vitest";
import { testRun } from "../../../test/support/run.ts";
import { answerTo } from "./answer-session.ts";

const asked: string[] = [];
const answer = (path: string): Promise<string> =>
  answerTo(
    { id: "1", path },
    {
      run: testRun(),
      workspace: "/w",
      call: async (call) => {
        asked.push(call.path);
        return { status: 200, body: {} };
      },
    },
  );

test("a stream that never ends is refused at once, and the next question is answered", async () => {
  for (const path of ["/v1/changes", "/v1/changes/?after=1", "/v1/x/../changes"]) {
    expect(JSON.parse(await answer(path))).toMatchObject({ status: 400 });
  }
  expect(JSON.parse(await answer("/v1/runs/1/changes"))).toEqual({ status: 200, body: {} });
  expect(asked).toEqual(["/v1/runs/1/changes"]);
});
