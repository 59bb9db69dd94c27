// What happened to the repository without Pawl, and a person must know: commits on the target that did
// not come through the merge queue, and another remote than the one agreed to. Each is said until a
// person has answered, and told once by the channels.
import type { Upstream } from "../config.ts";
import type { Context } from "../context.ts";
import type { Event } from "../event.ts";
import type { ProjectEvent } from "./project-event.ts";
import { projectAggregate } from "../ids.ts";
import { askText, outsideText } from "../words/upstream.ts";
import type { Project } from "./project.ts";

/** Each is said until the operator has acknowledged it, and kept until git has forgotten it too. */
export function withOutside(project: Project, event: Event, context: Context): Project {
  if (event.kind === "outside-acknowledged") return acknowledged(project);
  if (event.kind === "upstream-observed") return withAsked(project, event.asked, context);
  if (event.kind !== "outside-observed") return project;
  const { forgotten = [], at } = event;
  const known = (project.outside ?? []).filter(
    (one) => !one.acknowledged || !forgotten.includes(one.commit),
  );
  const fresh = event.commits.filter(({ commit }) => !known.some((one) => one.commit === commit));
  if (fresh.length > 0) {
    const body = fresh.map(({ commit, subject }) => outsideText(commit, subject)).join("\n");
    const title = `${project.name}: the target has commits that did not come through the merge queue`;
    tellPerson(project, { about: "outside", title, body }, context);
  }
  const added = fresh.map((one) => ({ ...one, acknowledged: false, at }));
  return { ...project, outside: [...known, ...added] };
}

const acknowledged = (project: Project): Project =>
  project.outside === undefined
    ? project
    : { ...project, outside: project.outside.map((one) => ({ ...one, acknowledged: true })) };

export function foundAgain(
  project: Project,
  { root, upstream, asked }: Extract<ProjectEvent, { kind: "project-registered" }>,
  context: Context,
): Project {
  return withAsked({ ...project, root, upstream }, asked, context);
}

/** What is agreed to is not asked about: the operator may have agreed since the look began. */
function withAsked(project: Project, there: Upstream | undefined, context: Context): Project {
  const asked = there !== undefined && isSame(there, project.upstream) ? undefined : there;
  const isNew = asked !== undefined && !isSame(asked, project.askedUpstream);
  if (isNew) {
    const title = `${project.name}: the repository has another remote`;
    const body = askText(project.upstream, asked);
    tellPerson(project, { about: "upstream", title, body }, context);
  }
  const askedAt = asked === undefined ? undefined : isNew ? context.at : project.askedAt;
  return { ...project, askedUpstream: asked, askedAt };
}

const isSame = (a: Upstream, b: Upstream | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b);

function tellPerson(
  { name }: Project,
  news: { about: string; title: string; body: string },
  { at, output }: Context,
): void {
  const { about, title, body } = news;
  output.effects.push({
    key: `${projectAggregate(name)}:${about}:${at}`,
    lane: `notify:${name}`,
    effect: { kind: "notify", severity: "urgent", title, body },
  });
}
