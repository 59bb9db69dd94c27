// Routes about mail: inboxes, letters with their threads, and what a person sends, reads and
// acknowledges. Agents write through their spool instead.
import type { Hono } from "hono";
import { newLetterSchema, readerSchema, type LetterView, type ThreadView } from "../../api/mail.ts";
import { FACTORY, mailAggregate, type ProjectName } from "../../core/ids.ts";
import { OPERATOR } from "../../core/mail/address.ts";
import type { NewLetter } from "../../core/mail/letter.ts";
import { findLetter, newMailbox, type Mailbox } from "../../core/mail/mailbox.ts";
import { problemOf } from "../../core/mail/step-mail.ts";
import { OperationError } from "../../lib/operation-error.ts";
import { inboxView, letterView } from "../views/mail.ts";
import { bodyOf, engineOf, projectFor, scopeOf, type Request, type Routes } from "./context.ts";
import { page } from "./paging.ts";

export function addMail(app: Hono, routes: Routes): void {
  app.get("/v1/mail", async (context) => {
    const isWanted = await scopeOf(routes, context);
    const reader = context.req.query("for") ?? OPERATOR;
    const all = context.req.query("closed") === "true";
    const boxes = (await mailboxes(routes)).filter(
      ({ project }) => project === FACTORY || isWanted(project),
    );
    const letters = inboxView(boxes, { reader, all });
    return page(context, letters, ({ project, id }) => `${project}/${id}`);
  });

  app.get("/v1/mail/:id", async (context) => {
    const { mailbox, id } = await boxOf(routes, context);
    return context.json(threadView(mailbox, id));
  });

  app.post("/v1/mail", async (context) => context.json(await send(routes, context)));

  for (const [verb, kind] of [
    ["read", "mail-read"],
    ["ack", "mail-acknowledged"],
  ] as const) {
    app.post(`/v1/mail/:id/${verb}`, async (context) => {
      const { mailbox, id } = await boxOf(routes, context);
      const { by } = await bodyOf(context, readerSchema);
      const event = { kind, at: routes.ports.clock.now(), id, by };
      await engineOf(routes).loop.submit({ to: mailAggregate(mailbox.project), event });
      return context.json(threadView(await load(routes, mailbox.project), id));
    });
  }
}

async function send(routes: Routes, context: Request): Promise<LetterView> {
  const { body, by, key, priority, replyTo, to, ...written } = await bodyOf(
    context,
    newLetterSchema,
  );
  const isOfFactory = replyTo?.startsWith("f") === true;
  const project = isOfFactory ? FACTORY : (await projectFor(routes, context)).name;
  const mailbox = await load(routes, project);
  const answered = replyTo === undefined ? undefined : findLetter(mailbox, replyTo);
  const subject = written.subject ?? (answered === undefined ? "" : answerTo(answered.subject));
  const letter: NewLetter = {
    from: OPERATOR,
    by,
    subject,
    body,
    priority,
    key,
    ...(to === undefined ? {} : { to }),
    ...(replyTo === undefined ? {} : { replyTo }),
  };
  const problem = subject === "" ? "it has no subject" : problemOf(mailbox, letter, { own: false });
  if (problem !== undefined) throw unsent(problem);
  const event = { kind: "mail-sent", at: routes.ports.clock.now(), project, letter } as const;
  await engineOf(routes).loop.submit({ to: mailAggregate(project), event });
  const made = (await load(routes, project)).letters.find((one) => one.key === key);
  if (made === undefined) throw unsent("it was refused");
  return letterView(project, made);
}

const unsent = (problem: string): OperationError =>
  new OperationError(`cannot send the letter: ${problem}`, { code: "usage" });

const answerTo = (subject: string): string =>
  subject.startsWith("Re: ") ? subject : `Re: ${subject}`;

async function boxOf(routes: Routes, request: Request): Promise<{ mailbox: Mailbox; id: string }> {
  const id = (request.req.param("id") ?? "").replace(/^#/, "");
  const project = id.startsWith("f") ? FACTORY : (await projectFor(routes, request)).name;
  const mailbox = await load(routes, project);
  if (findLetter(mailbox, id) !== undefined) return { mailbox, id };
  const own = findLetter(await load(routes, FACTORY), `f${id}`);
  throw new OperationError(`there is no letter ${id}`, {
    code: "no-letter",
    hint: own === undefined ? "see `pawl mail inbox`" : `did you mean \`pawl mail read f${id}\`?`,
  });
}

async function load(routes: Routes, project: ProjectName): Promise<Mailbox> {
  const stored = await routes.store.load(mailAggregate(project));
  return stored?.state.kind === "mail" ? stored.state : newMailbox(project);
}

const mailboxes = async (routes: Routes): Promise<Mailbox[]> =>
  (await routes.store.aggregates({ kind: "mail" })).flatMap(({ state }) =>
    state.kind === "mail" ? [state] : [],
  );

function threadView(mailbox: Mailbox, id: string): ThreadView {
  const letter = findLetter(mailbox, id);
  if (letter === undefined) {
    throw new OperationError(`there is no letter ${id}`, { code: "no-letter" });
  }
  const others = mailbox.letters.filter((one) => one.thread === letter.thread && one !== letter);
  return {
    letter: letterView(mailbox.project, letter),
    thread: others.map((one) => letterView(mailbox.project, one)),
  };
}
