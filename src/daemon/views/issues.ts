// An issue as people see it.
import type { IssueView } from "../../api/issues.ts";
import type { Issue } from "../../core/issue.ts";
import { dependencies } from "../../lib/issue-dependencies.ts";
import { iso } from "./agents.ts";

export const issueView = (issue: Issue): IssueView => ({
  number: issue.number,
  title: issue.title,
  state: issue.state,
  labels: issue.labels,
  body: issue.body,
  author: issue.author,
  depends_on: dependencies(issue.body, issue.number),
  created_at: iso(issue.createdAt),
  updated_at: iso(issue.updatedAt),
  url: issue.url ?? null,
});
