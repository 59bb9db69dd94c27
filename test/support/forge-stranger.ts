// An account that may only read a repository, comment and review: what it does on a forge, over HTTP,
// for the contract of forges. Gitea and GitHub differ here only in two words.
import type { Stranger } from "../../src/ports/forge-under-test.ts";

export type StrangerAt = {
  /** The address of the repository in the API. */
  repo: string;
  authorization: string;
  login: string;
  approval: "APPROVED" | "APPROVE";
  /** Gitea names labels by id. */
  labelsById: boolean;
  /** Makes a commit on this branch of the stranger's fork. */
  fork(branch: string): Promise<void>;
};

type Text = { body: string | null };

export function strangerAt(at: StrangerAt): Stranger {
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await fetch(`${at.repo}${path}`, {
      method,
      headers: { authorization: at.authorization, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as T;
  };
  const labelsOf = async (names: string[]): Promise<(number | string)[]> => {
    if (!at.labelsById) return names;
    const all = await call<{ id: number; name: string }[]>("GET", "/labels");
    return all.filter(({ name }) => names.includes(name)).map(({ id }) => id);
  };
  return {
    login: at.login,
    async texts(number) {
      const one = await call<Text & { pull_request?: unknown }>("GET", `/issues/${number}`);
      const isPr = one.pull_request !== undefined && one.pull_request !== null;
      const comments = await call<Text[]>("GET", `/issues/${number}/comments`);
      const reviews = isPr ? await call<Text[]>("GET", `/pulls/${number}/reviews`) : [];
      const texts = [one, ...comments, ...reviews].map(({ body }) => body ?? "");
      return texts.filter((text) => text !== "");
    },
    comment: (number, body) => call("POST", `/issues/${number}/comments`, { body }),
    approve: (pr, { head, body }) =>
      call("POST", `/pulls/${pr}/reviews`, { event: at.approval, body, commit_id: head }),
    async fileIssue({ title, body, labels }) {
      const issue = { title, body, labels: await labelsOf(labels) };
      return (await call<{ number: number }>("POST", "/issues", issue)).number;
    },
    async openPr(branch, body) {
      await at.fork(branch);
      const pr = { title: `PR of ${at.login}`, body, head: `${at.login}:${branch}`, base: "main" };
      return (await call<{ number: number }>("POST", "/pulls", pr)).number;
    },
  };
}
