import { expect, test } from "vitest";
import { Sessions } from "./sessions.ts";

test("the agents that opencode starts belong to the session, and those that they start", () => {
  const sessions = new Sessions();
  sessions.hear({ id: "ses_0", parentID: "" });
  sessions.own = "ses_1";
  sessions.hear({ id: "ses_2", parentID: "ses_1" });
  sessions.hear({ id: "ses_3", parentID: "ses_2" });
  sessions.hear({ id: "ses_4" });
  const known = ["", "ses_0", "ses_1", "ses_2", "ses_3", "ses_4"].filter((id) => sessions.has(id));
  expect(known).toEqual(["ses_1", "ses_2", "ses_3"]);
});
