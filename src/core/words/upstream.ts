// What is asked where the repository has another remote than the one that the operator agreed to, and
// what is said of commits that did not come through the merge queue.
import type { Upstream } from "../config.ts";
import { withoutCredentials } from "../../lib/without-credentials.ts";

export function askText(agreed: Upstream, asked: Upstream): string {
  const here =
    agreed.kind === "local"
      ? "work lands in your repository only"
      : `work goes to ${withoutCredentials(agreed.url)}`;
  return asked.kind === "local"
    ? `the remote origin was removed; ${here} until you agree, with \`pawl init\`, that work lands in your repository`
    : `the remote origin is ${withoutCredentials(asked.url)} now, and nothing is pushed there until you agree with \`pawl init\`; ${here}`;
}

export const outsideText = (commit: string, subject: string): string =>
  `commit ${commit.slice(0, 10)} ("${subject.slice(0, 80)}") was pushed into your repository: it did not come through the merge queue, so no gate had passed on it. If you did not push it, look at it with \`git show ${commit.slice(0, 10)}\`; acknowledge it with \`pawl merge-queue resume\``;
