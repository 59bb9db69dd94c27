// The calls of Gitea's API that Pawl makes, answered from the fake's state.
import { mergePr } from "./merging.ts";
import {
  shownChange,
  shownComment,
  shownIssue,
  shownPr,
  shownReview,
  shownStatus,
} from "./shown.ts";
import type { FakeIssue, FakeState } from "./state.ts";

export type Call = {
  method: string;
  /** Below /repos/{owner}/{repo}. */
  path: string;
  query: URLSearchParams;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client sends is anything
  body: any;
  login: string;
};
export type Reply = { status: number; body?: unknown; headers?: Record<string, string> };
type Route = (state: FakeState, call: Call, ids: number[]) => Reply;

const ok = (body: unknown, status = 200): Reply => ({ status, body });
const refuse = (status: number, message = "no"): Reply => ({ status, body: { message } });
const NOTHING: Reply = { status: 204 };

const ROUTES: [method: string, path: RegExp, route: Route][] = [
  ["GET", /^$/, (state) => ok(shownRepo(state))],
  ["PATCH", /^$/, editRepo],
  ["GET", /^\/labels$/, (state, call) => page(state.labels, call)],
  ["POST", /^\/labels$/, (state, { body }) => ok(addLabel(state, body), 201)],
  ["GET", /^\/issues$/, listIssues],
  ["POST", /^\/issues$/, createIssue],
  ["GET", /^\/issues\/(\d+)$/, (state, _, [n]) => onIssue(state, n, (one) => ok(shownIssue(one)))],
  ["PATCH", /^\/issues\/(\d+)$/, editIssue],
  ["GET", /^\/issues\/(\d+)\/comments$/, listComments],
  ["POST", /^\/issues\/(\d+)\/comments$/, addComment],
  ["GET", /^\/issues\/(\d+)\/timeline$/, listChanges],
  ["PATCH", /^\/issues\/comments\/(\d+)$/, editComment],
  ["DELETE", /^\/issues\/comments\/(\d+)$/, removeComment],
  ["POST", /^\/issues\/(\d+)\/labels$/, addLabels],
  ["DELETE", /^\/issues\/(\d+)\/labels\/(\d+)$/, removeLabel],
  ["GET", /^\/pulls$/, listPrs],
  ["POST", /^\/pulls$/, createPr],
  ["GET", /^\/pulls\/(\d+)$/, (state, _, [n]) => onPr(state, n, (pr) => ok(shownPr(state, pr)))],
  ["PATCH", /^\/pulls\/(\d+)$/, editPr],
  [
    "POST",
    /^\/pulls\/(\d+)\/merge$/,
    (state, call, [n]) => onPr(state, n, (pr) => mergePr(state, call, pr)),
  ],
  ["GET", /^\/pulls\/(\d+)\/reviews$/, listReviews],
  ["POST", /^\/pulls\/(\d+)\/reviews$/, addReview],
  ["POST", /^\/pulls\/(\d+)\/reviews\/(\d+)\/dismissals$/, dismissReview],
  ["GET", /^\/commits\/[0-9a-f]+\/statuses$/, listStatuses],
  ["POST", /^\/statuses\/[0-9a-f]+$/, addStatus],
  ["GET", /^\/assignees$/, ({ writers }) => ok([...writers].map((login) => ({ login })))],
  ["GET", /^\/branches\/[^/]+$/, showBranch],
  ["GET", /^\/branch_protections\/main$/, showRule],
];

/** What needs write access; the author of an issue or a comment may edit it too. */
const WRITES = [
  /^(PATCH|PUT|DELETE) /,
  /^POST \/(labels|issues\/\d+\/labels|statuses\/|pulls\/\d+\/(merge|reviews\/\d+\/dismissals))/,
];

function mayDo(state: FakeState, { method, path, login }: Call): boolean {
  if (state.writers.has(login) || !WRITES.some((one) => one.test(`${method} ${path}`))) return true;
  const [, comment, issue] = /^\/(?:issues\/comments\/(\d+)|issues\/(\d+))$/.exec(path) ?? [];
  const written =
    comment === undefined
      ? state.issue(Number(issue))
      : state.comments.find(({ id }) => id === Number(comment));
  return written?.author === login;
}

export function answer(state: FakeState, call: Call): Reply {
  state.settlePushes();
  if (!mayDo(state, call)) return refuse(403, "user should have a permission to write to a repo");
  for (const [method, path, route] of ROUTES) {
    const match = method === call.method ? path.exec(call.path) : null;
    if (match !== null) return route(state, call, match.slice(1).map(Number));
  }
  return refuse(404, `the fake does not know ${call.method} ${call.path}`);
}

function shownRepo(state: FakeState) {
  return {
    full_name: "team/project",
    default_branch: "main",
    permissions: { admin: true, push: true, pull: true },
    has_issues: true,
    has_pull_requests: true,
    allow_merge_commits: state.styles.has("merge"),
    allow_rebase: state.styles.has("rebase"),
    allow_squash_merge: state.styles.has("squash"),
    allow_fast_forward_only_merge: state.styles.has("fast-forward-only"),
    allow_manual_merge: state.manualMerge,
    autodetect_manual_merge: state.autodetect,
  };
}

function editRepo(state: FakeState, { body }: Call): Reply {
  state.manualMerge = body.allow_manual_merge ?? state.manualMerge;
  state.autodetect = body.autodetect_manual_merge ?? state.autodetect;
  return ok(shownRepo(state));
}

function addLabel(state: FakeState, { name, color }: { name: string; color: string }) {
  const label = { id: state.id(), name, color };
  state.labels.push(label);
  return label;
}

/** Newest first, as Gitea sorts. */
function listIssues(state: FakeState, call: Call): Reply {
  const { query } = call;
  const wanted = query.get("state") ?? "open";
  const since = Date.parse(query.get("since") ?? "1970-01-01T00:00:00Z");
  const all = state.issues.filter(
    (issue) =>
      (wanted === "all" || issue.state === wanted) &&
      (query.get("type") !== "issues" || issue.pr === undefined) &&
      Math.floor(issue.updated / 1000) * 1000 >= since &&
      (query.get("created_by") ?? issue.author) === issue.author,
  );
  return page(all.toReversed().map(shownIssue), call);
}

function createIssue(state: FakeState, { body, login }: Call): Reply {
  const issue = newIssue(state, { title: body.title, body: body.body ?? "", author: login });
  // Of those who may not write, Gitea leaves the labels off.
  const wanted = state.writers.has(login) ? (body.labels ?? []) : [];
  issue.labels = state.labels.filter((label) => wanted.includes(label.id));
  return ok(shownIssue(issue), 201);
}

function newIssue(
  state: FakeState,
  made: { title: string; body: string; author: string },
): FakeIssue {
  const at = Date.now();
  const issue: FakeIssue = {
    ...made,
    number: state.issues.length + 1,
    state: "open",
    labels: [],
    assignees: [],
    created: at,
    updated: at,
  };
  state.issues.push(issue);
  return issue;
}

function editIssue(state: FakeState, { body, login }: Call, [n]: number[]): Reply {
  return onIssue(state, n, (issue) => {
    if (body.state !== undefined && body.state !== issue.state) {
      state.note(issue, { type: body.state === "closed" ? "close" : "reopen", by: login });
    }
    issue.title = body.title ?? issue.title;
    issue.body = body.body ?? issue.body;
    issue.state = body.state ?? issue.state;
    issue.assignees = body.assignees ?? issue.assignees;
    state.touch(issue);
    return ok(shownIssue(issue), 201);
  });
}

function listComments(state: FakeState, _: Call, [n]: number[]): Reply {
  const some = state.comments.filter((comment) => comment.issue === n);
  // As the real one does (1.26), where a 404 would be right.
  if (state.issue(n ?? 0) === undefined) return refuse(500, "issue does not exist");
  return ok(some.map(shownComment));
}

function listChanges(state: FakeState, call: Call, [n]: number[]): Reply {
  const some = state.changes.filter(({ issue }) => issue === n);
  return onIssue(state, n, () => page(some.map(shownChange), call));
}

function addComment(state: FakeState, { body, login }: Call, [n]: number[]): Reply {
  return onIssue(state, n, (issue) => {
    const made = { id: state.id(), issue: issue.number, author: login, created: Date.now() };
    const comment = { ...made, body: String(body.body) };
    state.comments.push(comment);
    state.touch(issue);
    return ok(shownComment(comment), 201);
  });
}

function editComment(state: FakeState, { body }: Call, [id]: number[]): Reply {
  const found = state.comments.find((comment) => comment.id === id);
  if (found === undefined) return refuse(404);
  found.body = body.body;
  return ok(shownComment(found));
}

function removeComment(state: FakeState, _: Call, [id]: number[]): Reply {
  const before = state.comments.length;
  state.comments = state.comments.filter((comment) => comment.id !== id);
  return before === state.comments.length ? refuse(404) : NOTHING;
}

function addLabels(state: FakeState, { body, login }: Call, [n]: number[]): Reply {
  return onIssue(state, n, (issue) => {
    const added = state.labels.filter((label) => body.labels.includes(label.id));
    for (const label of added) state.note(issue, { type: "label", by: login, label, body: "1" });
    issue.labels = [...new Set([...issue.labels, ...added])];
    state.touch(issue);
    return ok(issue.labels);
  });
}

function removeLabel(state: FakeState, { login }: Call, [n, id]: number[]): Reply {
  return onIssue(state, n, (issue) => {
    const label = issue.labels.find((one) => one.id === id);
    if (label !== undefined) state.note(issue, { type: "label", by: login, label });
    issue.labels = issue.labels.filter((label) => label.id !== id);
    state.touch(issue);
    return NOTHING;
  });
}

function listPrs(state: FakeState, call: Call): Reply {
  const wanted = call.query.get("state") ?? "open";
  const all = state.issues.filter(
    ({ pr, state: now }) => pr !== undefined && (wanted === "all" || now === wanted),
  );
  return page(
    all.toReversed().map((pr) => shownPr(state, pr)),
    call,
  );
}

function createPr(state: FakeState, { body, login }: Call): Reply {
  const [owner, named] = String(body.head).split(":");
  const head =
    named === undefined
      ? { branch: String(body.head) }
      : { branch: named, fork: owner === "team" ? undefined : owner };
  const tip = state.tipOf(head);
  if (tip === undefined) return refuse(404, "head does not exist");
  const same = state.issues.find(
    ({ pr, state: is }) => is === "open" && pr?.branch === head.branch && pr.fork === head.fork,
  );
  if (same !== undefined) return refuse(409, "pull request already exists");
  const issue = newIssue(state, { title: body.title, body: body.body ?? "", author: login });
  issue.pr = { ...head, base: body.base, merged: false, head: tip };
  return ok(shownPr(state, issue), 201);
}

function editPr(state: FakeState, { body }: Call, [n]: number[]): Reply {
  return onPr(state, n, (pr) => {
    if (pr.pr?.merged === true) return refuse(412, "cannot change state of merged PR");
    pr.state = body.state ?? pr.state;
    state.touch(pr);
    return ok(shownPr(state, pr), 201);
  });
}

function listReviews(state: FakeState, call: Call, [n]: number[]): Reply {
  const some = state.reviews.filter(({ pr }) => pr === n);
  return onPr(state, n, () => page(some.map(shownReview), call));
}

function addReview(state: FakeState, { body, login }: Call, [n]: number[]): Reply {
  return onPr(state, n, (pr) => {
    if (pr.author === login && body.event !== "COMMENT") {
      return refuse(422, "approve your own pull is not allowed");
    }
    const made = { id: state.id(), pr: pr.number, author: login, created: Date.now() };
    const commit = body.commit_id ?? pr.pr?.head ?? "";
    const official = body.event !== "COMMENT" && state.writers.has(login);
    // Only the latest of a reviewer is official.
    for (const one of state.reviews) {
      if (one.pr !== n || one.author !== login || body.event === "COMMENT") continue;
      one.official = false;
      one.dismissed ||= one.state === "REQUEST_CHANGES";
    }
    const said = { state: body.event, body: body.body, dismissed: false, official };
    const review = { ...made, ...said, commit };
    state.reviews.push(review);
    state.touch(pr);
    return ok(shownReview(review));
  });
}

function dismissReview(state: FakeState, _: Call, [n, id]: number[]): Reply {
  const found = state.reviews.find((review) => review.pr === n && review.id === id);
  if (found === undefined) return refuse(404);
  found.dismissed = true;
  return ok(shownReview(found));
}

function listStatuses(state: FakeState, call: Call): Reply {
  const commit = call.path.split("/")[2];
  const all = state.statuses.filter((status) => status.commit === commit);
  return page(all.toReversed().map(shownStatus), call);
}

function addStatus(state: FakeState, { path, body }: Call): Reply {
  const commit = path.split("/")[2] ?? "";
  if (state.git("cat-file", "-e", commit) === undefined) return refuse(404);
  const { context, description = "", target_url: url = "" } = body;
  const status = { id: state.id(), commit, context, state: body.state, description, url };
  state.statuses.push(status);
  return ok(shownStatus(status), 201);
}

function showBranch(state: FakeState, { path }: Call): Reply {
  const name = decodeURIComponent(path.split("/")[2] ?? "");
  const id = state.tip(name);
  if (id === undefined) return refuse(404, "branch does not exist");
  const contexts = name === "main" ? state.required : [];
  return ok({
    name,
    commit: { id },
    protected: contexts.length > 0 || !state.rule.push,
    user_can_push: name !== "main" || state.rule.push,
    user_can_merge: name !== "main" || state.rule.merge,
    enable_status_check: contexts.length > 0,
    status_check_contexts: contexts,
    // The name of the rule, and the rule itself, are for administrators only.
    effective_branch_protection_name: name === "main" && state.rule.readable ? "main" : "",
  });
}

function showRule({ rule }: FakeState): Reply {
  if (!rule.readable) return refuse(403, "user should be an owner or a collaborator with admin");
  return ok({ rule_name: "main", block_on_outdated_branch: rule.blockOutdated });
}

function onIssue(state: FakeState, n: number | undefined, then: (one: FakeIssue) => Reply): Reply {
  const issue = state.issue(n ?? 0);
  return issue === undefined ? refuse(404, "issue does not exist") : then(issue);
}

function onPr(state: FakeState, n: number | undefined, then: (pr: FakeIssue) => Reply): Reply {
  const issue = state.issue(n ?? 0);
  return issue?.pr === undefined ? refuse(404, "pull request does not exist") : then(issue);
}

/** At most 50 a page, as Gitea's default has it, with the links of its answers. */
function page(all: unknown[], { query, path }: Call): Reply {
  const limit = Math.min(Number(query.get("limit") ?? 30), 50);
  const number = Number(query.get("page") ?? 1);
  const some = all.slice((number - 1) * limit, number * limit);
  const headers: Record<string, string> = { "x-total-count": String(all.length) };
  if (number * limit < all.length) {
    const next = new URLSearchParams(query);
    next.set("page", String(number + 1));
    headers["link"] = `<http://elsewhere.example/api/v1${path}?${next.toString()}>; rel="next"`;
  }
  return { status: 200, body: some, headers };
}
