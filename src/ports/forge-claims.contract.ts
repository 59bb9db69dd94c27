// What every forge must do about claims, as tests: who takes an issue has it alone, and it can be
// told whose it is. A part of forge.contract.ts.
import { expect, test } from "vitest";
import { LABELS } from "../core/issue.ts";
import { newIssue, type Use } from "./forge-under-test.ts";

export function claimTests(use: Use): void {
  const filed = async (labels: string[]): Promise<number> =>
    (await use().forge.createIssue(newIssue("a", labels))).number;

  test("a claim takes the issue from the backlog", async () => {
    const number = await filed([LABELS.backlog, "other"]);
    expect(await use().forge.claim(number, "run 1.1")).toEqual({ kind: "claimed" });
    const labels = (await use().forge.issue(number))?.labels.toSorted();
    expect(labels).toEqual([LABELS.inProgress, "other"].toSorted());
  });

  test("a claim repeated after a crash is still this run's", async () => {
    const number = await filed([LABELS.backlog]);
    await use().forge.claim(number, "run 1.1");
    const before = await use().forge.issue(number);
    expect(await use().forge.claim(number, "run 1.1")).toEqual({ kind: "claimed" });
    expect(await use().forge.issue(number)).toEqual(before);
  });

  test("a claim on an issue in progress is lost", async () => {
    const number = await filed([LABELS.backlog]);
    await use().forge.claim(number, "run 1.1");
    expect(await use().forge.claim(number, "run 1.2")).toMatchObject({ kind: "lost" });
    const byHand = await use().forge.createIssue(newIssue("b", [LABELS.inProgress]));
    expect(await use().forge.claim(byHand.number, "run 2.1")).toMatchObject({ kind: "lost" });
  });

  test("a claim on a closed issue is lost, also for the one who had it", async () => {
    const number = await filed([LABELS.backlog]);
    await use().forge.claim(number, "run 1.1");
    await use().forge.editIssue(number, { state: "closed" });
    expect(await use().forge.claim(number, "run 1.1")).toMatchObject({ kind: "lost" });
    expect(await use().forge.claim(number, "run 1.2")).toMatchObject({ kind: "lost" });
  });

  test("an issue that was given back can be claimed again", async () => {
    const number = await filed([LABELS.backlog]);
    await use().forge.claim(number, "run 1.1");
    const back = { addLabels: [LABELS.backlog], removeLabels: [LABELS.inProgress] };
    await use().forge.editIssue(number, back);
    expect(await use().forge.claim(number, "run 1.2")).toEqual({ kind: "claimed" });
    expect(await use().forge.claim(number, "run 1.1")).toMatchObject({ kind: "lost" });
  });

  test("a claim says whose it is, as long as the issue is in progress", async () => {
    const { forge } = use();
    const number = await filed([LABELS.backlog]);
    expect(await forge.claimOf(number)).toBeUndefined();
    await forge.claim(number, "run 1.1");
    expect(await forge.claimOf(number)).toMatchObject({ key: "run 1.1", holder: "this" });
    const back = { addLabels: [LABELS.backlog], removeLabels: [LABELS.inProgress] };
    await forge.editIssue(number, back);
    expect(await forge.claimOf(number)).toBeUndefined();
  });

  test("an issue that a person labelled has no claim", async () => {
    const byHand = await use().forge.createIssue(newIssue("b", [LABELS.inProgress]));
    expect(await use().forge.claimOf(byHand.number)).toBeUndefined();
  });

  test("of two factories that want an issue at once, one has it, and each knows whose it is", async () => {
    const { forge } = use();
    const other = use().sibling?.({ id: "f2", home: "h2" });
    if (other === undefined) return;
    const number = await filed([LABELS.backlog]);
    const both = await Promise.all([
      forge.claim(number, "run 1.1"),
      other.claim(number, "run 1.1"),
    ]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(["claimed", "lost"]);
    const [winner, loser] = both[0].kind === "claimed" ? [forge, other] : [other, forge];
    expect(await winner.claimOf(number)).toMatchObject({ key: "run 1.1", holder: "this" });
    expect(await loser.claimOf(number)).toMatchObject({ key: "run 1.1", holder: "sibling" });
    expect(await loser.claim(number, "run 1.2")).toMatchObject({
      kind: "lost",
      why: expect.stringContaining("another factory"),
    });
  });

  test("the claim of a journal that was lost is told by its home", async () => {
    const { forge } = use();
    const again = use().sibling?.({ id: "f2", home: "h1" });
    if (again === undefined) return;
    const number = await filed([LABELS.backlog]);
    await forge.claim(number, "run 1.1");
    expect(await again.claimOf(number)).toMatchObject({ key: "run 1.1", holder: "gone" });
  });
}
