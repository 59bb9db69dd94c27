// Adds one issue. stdout is the number and nothing else, so that a script can use it.
import type { IssueView, NewIssueRequest } from "../../../api/issues.ts";
import type { Deps } from "../../deps.ts";
import { noteWhoActs } from "../../output/who-acts.ts";
import { harmless } from "../../output/text.ts";
import { bodyFrom, type BodyOptions } from "../../options.ts";

export type AddOptions = BodyOptions & {
  title: string;
  label?: string[] | undefined;
  dependsOn?: number[] | undefined;
};

export async function addNewIssue(deps: Deps, options: AddOptions): Promise<void> {
  const request: NewIssueRequest = {
    title: options.title,
    body: await bodyFrom(deps, options),
    labels: options.label,
    dependsOn: options.dependsOn,
    key: `cli ${deps.newKey()}`,
    author: deps.user,
  };
  const issue = await deps.client.post<IssueView>("/v1/issues", request);
  // For scripts; a person reads it in the sentence below.
  if (!deps.isTty) deps.stdout(`${issue.number}\n`);
  const labels = issue.labels.length === 0 ? "no label" : issue.labels.join(", ");
  deps.stderr(`added #${issue.number} ${harmless(issue.title)} (${harmless(labels)})\n`);
  await noteWhoActs(deps);
}
