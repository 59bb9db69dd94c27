// What a person is needed for and settles with a command, not with an answer: kept workspaces, commits
// past the merge queue, another remote. Listed with the questions, so that one list has it all.
import type { EscalationView } from "../../api/escalations.ts";
import type { Project } from "../../core/project/project.ts";
import { issueOf, titleOf, type Run } from "../../core/run/run.ts";
import { askText, outsideText } from "../../core/words/upstream.ts";
import { iso } from "./agents.ts";

export const settledByCommand = (parts: {
  projects: Project[];
  /** Runs whose workspace stayed. */
  kept: Run[];
}): EscalationView[] => [
  ...parts.projects.flatMap((project) => [...outsideViews(project), ...upstreamViews(project)]),
  ...parts.kept.map(keptView),
];

const NOTHING = {
  issue: null,
  run: null,
  deadline: null,
  phase: null,
  pr: null,
  branch: null,
  alive: false,
  choices: [],
};

const keptView = (run: Run): EscalationView => ({
  ...NOTHING,
  project: run.project,
  issue: issueOf(run) ?? null,
  title: titleOf(run),
  run: run.id,
  identity: run.identity,
  reason: run.kept?.why ?? "",
  since: iso(run.kept?.at ?? 0),
  branch: run.branch,
  command: "pawl doctor --fix",
});

const outsideViews = ({ name, outside, config }: Project): EscalationView[] =>
  (outside ?? [])
    .filter((one) => !one.acknowledged)
    .map(({ commit, subject, at }) => ({
      ...NOTHING,
      project: name,
      title: "a commit that did not come through the merge queue",
      identity: `outside:${commit.slice(0, 10)}`,
      reason: outsideText(commit, subject),
      since: iso(at ?? 0),
      branch: config?.target ?? null,
      command: "pawl merge-queue resume",
    }));

const upstreamViews = ({ name, upstream, askedUpstream, askedAt }: Project): EscalationView[] =>
  askedUpstream === undefined
    ? []
    : [
        {
          ...NOTHING,
          project: name,
          title: "another remote",
          identity: "upstream",
          reason: askText(upstream, askedUpstream),
          since: iso(askedAt ?? 0),
          command: "pawl init",
        },
      ];
