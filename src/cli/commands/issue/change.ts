// Changes an issue: its text, its labels, its state, and what is said about it.
import type { IssueChangeRequest, IssueView } from "../../../api/issues.ts";
import type { Deps } from "../../deps.ts";
import { noteWhoActs } from "../../output/who-acts.ts";
import { bodyFrom, usage, type BodyOptions } from "../../options.ts";

export type EditOptions = BodyOptions & {
  title?: string | undefined;
  addLabel?: string[] | undefined;
  removeLabel?: string[] | undefined;
};

export async function editIssue(deps: Deps, number: number, options: EditOptions): Promise<void> {
  const change: IssueChangeRequest = {
    title: options.title,
    body: await bodyFrom(deps, options),
    addLabels: options.addLabel,
    removeLabels: options.removeLabel,
  };
  if (Object.values(change).every((value) => value === undefined)) {
    throw usage(
      `nothing to change in #${number}`,
      "give --title, --body, --body-file, --add-label or --remove-label",
    );
  }
  await patch(deps, number, change);
  deps.stderr(`changed #${number}\n`);
  await noteWhoActs(deps);
}

export async function setIssueState(
  deps: Deps,
  number: number,
  state: IssueView["state"],
): Promise<void> {
  await patch(deps, number, { state });
  deps.stderr(`${state === "open" ? "reopened" : "closed"} #${number}\n`);
}

export async function commentIssue(
  deps: Deps,
  number: number,
  options: BodyOptions,
): Promise<void> {
  const body = await bodyFrom(deps, options);
  if (body === undefined) throw usage("the comment is empty", "give --body or --body-file");
  const key = `cli ${deps.newKey()}`;
  await deps.client.post(`/v1/issues/${number}/comments`, { body, author: deps.user, key });
  deps.stderr(`commented on #${number}\n`);
}

const patch = (deps: Deps, number: number, change: IssueChangeRequest): Promise<IssueView> =>
  deps.client.patch(`/v1/issues/${number}`, change);
