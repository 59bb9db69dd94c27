// The fake GitHub's answers, route by route. Lists are whole here; the server cuts them into pages.
import { mergePr, requiredChecks, shownRepo } from "./merging.ts";
import {
  shownCheckRun,
  shownComment,
  shownCommented,
  shownCommit,
  shownEvent,
  shownIssue,
  shownLabel,
  shownPr,
  shownRepository,
  shownReview,
  shownStatus,
  shownSuite,
  user,
} from "./shown.ts";
import type { FakeGithubState, FakeIssue } from "./state.ts";

export type Asked = {
  method: string;
  /** Below the repository, e.g. `/issues/4`. */
  path: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
  login: string;
};

export type Reply = {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** A list to be paged; `wrap` puts a page where GitHub has it. */
  list?: unknown[];
  wrap?: (page: unknown[]) => unknown;
};

const notFound: Reply = { status: 404, body: { message: "Not Found", status: "404" } };
const invalid = (...messages: string[]): Reply => ({
  status: 422,
  body: {
    message: "Validation Failed",
    errors: messages.map((message) => ({ code: "custom", message })),
    documentation_url: "https://docs.github.test/rest",
  },
});
const text = (value: unknown): string => (typeof value === "string" ? value : "");
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

type Route = (state: FakeGithubState, asked: Asked, found: string[]) => Reply;

const ROUTES: [string, RegExp, Route][] = [
  ["GET", /^\/issues$/, listIssues],
  ["POST", /^\/issues$/, createIssue],
  ["GET", /^\/issues\/(\d+)$/, (state, _, [number]) => oneIssue(state, number, shownIssue)],
  ["PATCH", /^\/issues\/(\d+)$/, editIssue],
  ["GET", /^\/issues\/(\d+)\/comments$/, listComments],
  ["POST", /^\/issues\/(\d+)\/comments$/, addComment],
  ["GET", /^\/issues\/(\d+)\/timeline$/, listEvents],
  ["PATCH", /^\/issues\/comments\/(\d+)$/, editComment],
  ["DELETE", /^\/issues\/comments\/(\d+)$/, deleteComment],
  ["POST", /^\/issues\/(\d+)\/labels$/, addLabels],
  ["DELETE", /^\/issues\/(\d+)\/labels\/(.+)$/, removeLabel],
  ["POST", /^\/issues\/(\d+)\/assignees$/, (state, asked, [n]) => assign(state, asked, n)],
  ["DELETE", /^\/issues\/(\d+)\/assignees$/, (state, asked, [n]) => assign(state, asked, n)],
  ["GET", /^\/labels$/, (state) => ({ status: 200, list: state.labels.map(shownLabel) })],
  ["POST", /^\/labels$/, createLabel],
  ["GET", /^\/pulls$/, listPrs],
  ["POST", /^\/pulls$/, createPr],
  ["GET", /^\/pulls\/(\d+)$/, onePr],
  ["PATCH", /^\/pulls\/(\d+)$/, editPr],
  ["GET", /^\/pulls\/(\d+)\/reviews$/, listReviews],
  ["POST", /^\/pulls\/(\d+)\/reviews$/, addReview],
  ["PUT", /^\/pulls\/(\d+)\/reviews\/(\d+)\/dismissals$/, dismissReview],
  ["GET", /^\/commits\/([0-9a-f]+)\/status$/, combinedStatus],
  ["GET", /^\/commits\/([0-9a-f]+)\/check-runs$/, checkRuns],
  ["GET", /^\/commits\/([0-9a-f]+)\/check-suites$/, checkSuites],
  ["POST", /^\/statuses\/([0-9a-f]+)$/, setStatus],
  ["PUT", /^\/pulls\/(\d+)\/merge$/, merge],
  // "Create a reference", which is called here only to see it refused.
  ["POST", /^\/git\/refs$/, () => invalid("ref and sha are missing")],
  ["GET", /^$/, (state) => ({ status: 200, body: shownRepo(state) })],
  ["GET", /^\/branches\/main\/protection\/required_status_checks$/, requiredChecks],
  ["GET", /^\/collaborators\/([^/]+)\/permission$/, permission],
  ["GET", /^\/branches\/(.+)$/, branch],
  ["GET", /^\/rules\/branches\/(.+)$/, rules],
];

/** What needs write access; the author of an issue or a comment may edit it too. */
const WRITES = [
  /^(PATCH|PUT|DELETE) /,
  /^POST \/(labels|issues\/\d+\/(labels|assignees)|statuses\/|git\/refs)/,
];

function mayDo(state: FakeGithubState, { method, path, login }: Asked): boolean {
  if (mayWrite(state, login) || !WRITES.some((one) => one.test(`${method} ${path}`))) return true;
  const [, comment, issue] = /^\/(?:issues\/comments\/(\d+)|issues\/(\d+))$/.exec(path) ?? [];
  const written =
    comment === undefined
      ? state.issue(Number(issue))
      : state.comments.find(({ id }) => id === Number(comment));
  return written?.author === login;
}

const mayWrite = ({ permissions }: FakeGithubState, login: string): boolean =>
  ["write", "admin"].includes(permissions.get(login) ?? "none");

/** "maintain" is told as "write" and "triage" as "read"; an unknown account is not found. */
function permission({ permissions }: FakeGithubState, _: Asked, [login = ""]: string[]): Reply {
  const may = permissions.get(login);
  if (may === undefined) return notFound;
  return { status: 200, body: { permission: may, role_name: may, user: user(login) } };
}

export function answer(state: FakeGithubState, asked: Asked): Reply {
  state.settlePushes();
  if (!mayDo(state, asked)) {
    return { status: 403, body: { message: "Must have push access to view or edit this." } };
  }
  for (const [method, pattern, route] of ROUTES) {
    const found = method === asked.method ? pattern.exec(asked.path) : null;
    if (found !== null) return route(state, asked, found.slice(1).map(decodeURIComponent));
  }
  return notFound;
}

const byState = (issue: FakeIssue, query: URLSearchParams): boolean =>
  (query.get("state") ?? "open") === "all" || issue.state === (query.get("state") ?? "open");

/** Newest first unless asked otherwise, and PRs among them. */
function listIssues(state: FakeGithubState, { query }: Asked): Reply {
  const creator = query.get("creator");
  const all = state.issues.filter(
    (issue) => byState(issue, query) && (creator === null || issue.author === creator),
  );
  const list = query.get("direction") === "asc" ? all : all.toReversed();
  return { status: 200, list: list.map(shownIssue) };
}

function createIssue(state: FakeGithubState, { body, login }: Asked): Reply {
  if (text(body["title"]) === "") return invalid("title is missing");
  const issue = state.add({
    title: text(body["title"]),
    body: text(body["body"]),
    // Of those without push access, labels are silently dropped.
    labels: mayWrite(state, login) ? texts(body["labels"]) : [],
    author: login,
  });
  return { status: 201, body: shownIssue(issue) };
}

function oneIssue(
  state: FakeGithubState,
  number: string | undefined,
  show: (issue: FakeIssue) => unknown,
): Reply {
  const issue = state.issue(Number(number));
  return issue === undefined ? notFound : { status: 200, body: show(issue) };
}

function editIssue(state: FakeGithubState, { body, login }: Asked, [number]: string[]): Reply {
  return oneIssue(state, number, (issue) => {
    const { title, state: next } = body;
    if (typeof title === "string") issue.title = title;
    if (typeof body["body"] === "string") issue.body = body["body"];
    if ((next === "open" || next === "closed") && next !== issue.state) {
      issue.state = next;
      state.note(issue, next === "closed" ? "closed" : "reopened", { by: login });
    }
    issue.updated = state.now();
    return shownIssue(issue);
  });
}

function listComments(state: FakeGithubState, _: Asked, [number]: string[]): Reply {
  if (state.issue(Number(number)) === undefined) return notFound;
  const all = state.comments.filter(({ issue }) => issue === Number(number));
  return { status: 200, list: all.map(shownComment) };
}

function listEvents(state: FakeGithubState, _: Asked, [number]: string[]): Reply {
  if (state.issue(Number(number)) === undefined) return notFound;
  const own = state.events.filter(({ issue }) => issue === Number(number));
  // Comments and reviews are among the events, with other fields.
  return {
    status: 200,
    list: [shownCommented(Number(number)), ...own.map(shownEvent)],
  };
}

function addComment(state: FakeGithubState, { body, login }: Asked, [number]: string[]): Reply {
  if (state.issue(Number(number)) === undefined) return notFound;
  const of = { issue: Number(number), body: text(body["body"]), author: login };
  return { status: 201, body: shownComment(state.comment(of)) };
}

function editComment(state: FakeGithubState, { body }: Asked, [id]: string[]): Reply {
  const found = state.comments.find((one) => String(one.id) === id);
  if (found === undefined) return notFound;
  found.body = text(body["body"]);
  return { status: 200, body: shownComment(found) };
}

function deleteComment(state: FakeGithubState, _: Asked, [id]: string[]): Reply {
  const before = state.comments.length;
  state.comments = state.comments.filter((one) => String(one.id) !== id);
  return before === state.comments.length ? notFound : { status: 204 };
}

function addLabels(state: FakeGithubState, { body, login }: Asked, [number]: string[]): Reply {
  return oneIssue(state, number, (issue) => {
    for (const name of texts(body["labels"]))
      state.note(issue, "labeled", { by: login, label: name });
    issue.labels = [...new Set([...issue.labels, ...texts(body["labels"])])];
    issue.updated = state.now();
    return shownIssue(issue).labels;
  });
}

function removeLabel(state: FakeGithubState, { login }: Asked, [number, name]: string[]): Reply {
  const issue = state.issue(Number(number));
  if (issue === undefined || !issue.labels.includes(name ?? "")) {
    return { status: 404, body: { message: "Label does not exist" } };
  }
  issue.labels = issue.labels.filter((one) => one !== name);
  state.note(issue, "unlabeled", { by: login, label: name ?? "" });
  issue.updated = state.now();
  return { status: 200, body: shownIssue(issue).labels };
}

function assign(
  state: FakeGithubState,
  { body, method }: Asked,
  number: string | undefined,
): Reply {
  const named = texts(body["assignees"]);
  const reply = oneIssue(state, number, (issue) => {
    const others = issue.assignees.filter((login) => !named.includes(login));
    issue.assignees = method === "POST" ? [...others, ...named] : others;
    return shownIssue(issue);
  });
  return reply.status === 200 && method === "POST" ? { ...reply, status: 201 } : reply;
}

function createLabel(state: FakeGithubState, { body }: Asked): Reply {
  const name = text(body["name"]);
  if (name === "") return invalid("name is missing");
  const isTaken = state.labels.some((one) => one.name.toLowerCase() === name.toLowerCase());
  if (isTaken) {
    const error = { resource: "Label", code: "already_exists", field: "name" };
    const about = { documentation_url: "https://docs.github.test/rest" };
    return { status: 422, body: { message: "Validation Failed", errors: [error], ...about } };
  }
  const label = { id: state.id(), name, color: text(body["color"]) };
  state.labels.push(label);
  return { status: 201, body: shownLabel(label) };
}

function listPrs(state: FakeGithubState, { query }: Asked): Reply {
  const [owner, head] = query.get("head")?.split(":") ?? [];
  const base = query.get("base");
  const all = state.issues.filter(
    (issue) =>
      issue.pr !== undefined &&
      byState(issue, query) &&
      (head === undefined || (issue.pr.branch === head && (issue.pr.fork ?? "team") === owner)) &&
      (base === null || issue.pr.base === base),
  );
  const list = query.get("direction") === "asc" ? all : all.toReversed();
  return { status: 200, list: list.map((issue) => shownPr(state, issue, false)) };
}

function createPr(state: FakeGithubState, { body, login }: Asked): Reply {
  const [owner, named] = text(body["head"]).split(":");
  const base = text(body["base"]);
  const fork = named === undefined || owner === "team" ? undefined : owner;
  const from = named ?? text(body["head"]);
  const head = state.tipOf({ branch: from, fork });
  if (head === undefined) return invalid("head is invalid");
  const open = state.issues.some(
    ({ state: is, pr }) =>
      is === "open" && pr?.branch === from && pr.fork === fork && pr.base === base,
  );
  if (open) return invalid(`A pull request already exists for team:${from}.`);
  if (state.git("merge-base", "--is-ancestor", head, `refs/heads/${base}`) !== undefined) {
    return invalid(`No commits between ${base} and ${from}`);
  }
  const of = { title: text(body["title"]), body: text(body["body"]), labels: [], author: login };
  const issue = state.add({ ...of, pr: { branch: from, fork, base, head } });
  return { status: 201, body: shownPr(state, issue, true) };
}

function onePr(state: FakeGithubState, _: Asked, [number]: string[]): Reply {
  const issue = state.issue(Number(number));
  return issue?.pr === undefined ? notFound : { status: 200, body: shownPr(state, issue, true) };
}

function editPr(state: FakeGithubState, { body }: Asked, [number]: string[]): Reply {
  const issue = state.issue(Number(number));
  if (issue?.pr === undefined) return notFound;
  if (issue.pr.mergedAt !== undefined) return invalid("state cannot be changed: it is merged");
  if (body["state"] === "open" || body["state"] === "closed") issue.state = body["state"];
  issue.updated = state.now();
  return { status: 200, body: shownPr(state, issue, true) };
}

function merge(state: FakeGithubState, asked: Asked, [number]: string[]): Reply {
  const issue = state.issue(Number(number));
  return issue?.pr === undefined ? notFound : mergePr(state, asked, issue);
}

function listReviews(state: FakeGithubState, _: Asked, [number]: string[]): Reply {
  if (state.issue(Number(number))?.pr === undefined) return notFound;
  const all = state.reviews.filter(({ pr }) => pr === Number(number));
  return { status: 200, list: all.map(shownReview) };
}

const STATES = {
  APPROVE: "APPROVED",
  REQUEST_CHANGES: "CHANGES_REQUESTED",
  COMMENT: "COMMENTED",
} as const;

function addReview(state: FakeGithubState, { body, login }: Asked, [number]: string[]): Reply {
  const issue = state.issue(Number(number));
  if (issue?.pr === undefined) return notFound;
  const event = text(body["event"]);
  if (event !== "APPROVE" && event !== "REQUEST_CHANGES" && event !== "COMMENT") {
    return invalid("event is not one of APPROVE, REQUEST_CHANGES, COMMENT");
  }
  if (issue.author === login && event !== "COMMENT") {
    const what = event === "APPROVE" ? "approve" : "request changes on";
    return {
      status: 422,
      body: { message: "Unprocessable Entity", errors: [`Can not ${what} your own pull request`] },
    };
  }
  const made = {
    id: state.id(),
    pr: issue.number,
    state: STATES[event],
    body: text(body["body"]),
    author: login,
    association: "COLLABORATOR",
    commit: text(body["commit_id"]) || issue.pr.head,
    submitted: state.now(),
  };
  state.reviews.push(made);
  issue.updated = made.submitted;
  return { status: 200, body: shownReview(made) };
}

function dismissReview(state: FakeGithubState, { body }: Asked, [pr, id]: string[]): Reply {
  const found = state.reviews.find((one) => String(one.id) === id && String(one.pr) === pr);
  if (found === undefined) return notFound;
  if (text(body["message"]) === "") return invalid("message is missing");
  if (found.state === "COMMENTED" || found.state === "DISMISSED") {
    return invalid("Can not dismiss a commented or dismissed pull request review");
  }
  found.state = "DISMISSED";
  return { status: 200, body: shownReview(found) };
}

function combinedStatus(state: FakeGithubState, _: Asked, [commit]: string[]): Reply {
  const all = state.statuses.filter((one) => one.commit === commit);
  const states = all.map((one) => one.state);
  const failed = states.some((one) => one === "failure" || one === "error");
  // Also where nothing was said yet: "pending".
  const green = states.length > 0 && states.every((one) => one === "success");
  const combined = failed ? "failure" : green ? "success" : "pending";
  return {
    status: 200,
    list: all.map(shownStatus),
    wrap: (statuses) => ({
      state: combined,
      sha: commit,
      total_count: all.length,
      statuses,
      repository: shownRepository(),
    }),
  };
}

function checkRuns(state: FakeGithubState, _: Asked, [commit]: string[]): Reply {
  const all = state.checkRuns.filter((one) => one.commit === commit);
  return {
    status: 200,
    list: all.map(shownCheckRun),
    wrap: (page) => ({ total_count: all.length, check_runs: page }),
  };
}

/** "List check suites for a Git reference". */
function checkSuites(state: FakeGithubState, _: Asked, [commit]: string[]): Reply {
  const all = state.suites.filter((one) => one.commit === commit);
  return {
    status: 200,
    list: all.map(shownSuite),
    wrap: (page) => ({ total_count: all.length, check_suites: page }),
  };
}

function setStatus(state: FakeGithubState, { body }: Asked, [commit = ""]: string[]): Reply {
  // "Create a commit status": the commit has to be there.
  if (state.git("cat-file", "-e", commit) === undefined) {
    return { status: 422, body: { message: `No commit found for SHA: ${commit}` } };
  }
  const made = {
    commit,
    context: text(body["context"]) || "default",
    state: text(body["state"]),
    description: text(body["description"]),
    url: text(body["target_url"]) || null,
  };
  if (made.description.length > 140) return invalid("description is too long");
  const at = state.statuses.findIndex(
    (one) => one.commit === commit && one.context === made.context,
  );
  if (at < 0) state.statuses.push(made);
  else state.statuses[at] = made;
  return { status: 201, body: shownStatus(made) };
}

function branch(state: FakeGithubState, _: Asked, [name = ""]: string[]): Reply {
  const sha = state.tip(name);
  if (sha === undefined) return { status: 404, body: { message: "Branch not found" } };
  const contexts = name === "main" ? state.protection : [];
  const enforcement = contexts.length === 0 ? "off" : "non_admins";
  const checks = { enforcement_level: enforcement, contexts, checks: [] };
  const protection = { enabled: contexts.length > 0, required_status_checks: checks };
  return {
    status: 200,
    body: { name, commit: shownCommit(sha), protected: contexts.length > 0, protection },
  };
}

function rules(state: FakeGithubState, _: Asked, [name]: string[]): Reply {
  const required = name === "main" ? state.ruleset : [];
  const list = required.length === 0 ? [] : [ruleOf(required, state.isStrict)];
  return { status: 200, body: [{ type: "deletion" }, ...list] };
}

const ruleOf = (contexts: string[], isStrict: boolean) => ({
  type: "required_status_checks",
  parameters: {
    strict_required_status_checks_policy: isStrict,
    required_status_checks: contexts.map((context) => ({ context })),
  },
});
