import { expect, test } from "vitest";
import { ago, pawl } from "../../../test/support/pawl-cli.ts";

const CHANNEL = {
  project: "toy",
  name: "team",
  kind: "slack",
  severity: "warning",
  pending: 2,
  trouble: "answered 500",
  trouble_at: ago(1),
  given_up: 1,
};

test("channels are listed with what they could not bring", async () => {
  const { stdout } = await pawl(["notify", "list"], { answers: { "GET /v1/notify": [CHANNEL] } });
  expect(stdout).toBe("team\tslack\twarning\t2\t1\tanswered 500\n");
  const none = await pawl(["notify", "list", "--all"], {
    answers: { "GET /v1/notify?all=true": [] },
  });
  expect(none).toMatchObject({ code: 0, stdout: "" });
});

test("a test tells how each channel did, and fails where one did not bring it", async () => {
  const results = [
    { project: "toy", name: "team", kind: "slack", trouble: null },
    { project: "toy", name: "phone", kind: "ntfy", trouble: "answered 403" },
  ];
  const all = await pawl(["notify", "test"], { answers: { "POST /v1/notify/test": results } });
  expect(all).toMatchObject({ code: 1, calls: [["POST /v1/notify/test", {}]] });
  expect(all.stdout).toBe("team\tslack\tsent\nphone\tntfy\tanswered 403\n");
  const one = await pawl(["notify", "test", "--kind", "slack"], {
    answers: { "POST /v1/notify/test": results.slice(0, 1) },
  });
  expect(one).toMatchObject({ code: 0, calls: [["POST /v1/notify/test", { kind: "slack" }]] });
  expect((await pawl(["notify", "test", "--kind", "pigeon"])).code).toBe(2);
});
