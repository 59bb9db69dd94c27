// Reading mail: an inbox, one letter with its thread, and the word that it was read.
import type { LetterView, ThreadView } from "../../../api/mail.ts";
import type { Deps } from "../../deps.ts";
import { printDocument } from "../../output/document.ts";
import { printJson, printRows, type Column } from "../../output/rows.ts";
import { harmless, when } from "../../output/text.ts";
import { ownIdentity, spool } from "../../own-session.ts";

type InboxOptions = {
  for?: string | undefined;
  closed?: true | undefined;
  all?: true | undefined;
  json?: true | undefined;
};

export async function showInbox(deps: Deps, options: InboxOptions): Promise<void> {
  const query = new URLSearchParams({ for: options.for ?? ownIdentity(deps) ?? "operator" });
  if (options.closed === true) query.set("closed", "true");
  if (options.all === true) query.set("all", "true");
  const letters = await deps.client.get<LetterView[]>(`/v1/mail?${query.toString()}`);
  const whole = { subject: "`pawl mail read MAIL` shows the whole letter" };
  printRows(deps, letters, { columns: columns(deps), json: options.json, empty: "no mail", whole });
}

const columns = (deps: Deps): Column<LetterView>[] => [
  { title: "mail", tty: ({ id }) => id },
  { title: "priority", tty: ({ priority }) => priority, drop: 2 },
  { title: "status", tty: ({ status }) => status },
  { title: "from", tty: ({ from }) => harmless(from), pipe: ({ from }) => from },
  {
    title: "subject",
    tty: ({ subject }) => harmless(subject),
    pipe: ({ subject }) => subject,
    // The columns that matter less go before it is cut to less.
    widthMin: 34,
  },
  { title: "at", tty: ({ at }) => when(deps, at) },
  {
    title: "project",
    // News of the factory itself belongs to no project.
    tty: ({ project }) => (project === "-" ? "" : project),
    pipe: ({ project }) => project,
    drop: 1,
  },
];

export async function readLetter(
  deps: Deps,
  id: string,
  options: { json?: true | undefined },
): Promise<void> {
  const path = `/v1/mail/${encodeURIComponent(id)}`;
  const found = await deps.client.get<ThreadView>(path);
  const { letter, thread } = found;
  if (options.json === true) printJson(deps, found);
  else {
    printDocument(deps, {
      title: letter.subject,
      facts: [
        { name: "mail", value: letter.id },
        { name: "from", value: letter.from },
        { name: "to", value: letter.to },
        { name: "at", value: when(deps, letter.at) },
        { name: "priority", value: letter.priority },
        { name: "status", value: [letter.status, letter.detail].filter(Boolean).join(" ") },
      ],
      text: letter.body,
      said: thread.map(({ from, at, subject, body }) => {
        return { by: from, at, text: `${subject}\n${body}` };
      }),
    });
  }
  const isMine = ownIdentity(deps) === undefined && letter.to === "operator";
  if (isMine && letter.status === "waiting") {
    await deps.client.post(`${path}/read`, { by: deps.user });
  }
}

/** An agent's own word goes through its spool. */
export async function ackLetter(deps: Deps, id: string): Promise<void> {
  if (ownIdentity(deps) === undefined) {
    await deps.client.post(`/v1/mail/${encodeURIComponent(id)}/ack`, { by: deps.user });
  } else await spool(deps, { kind: "mail-ack", id });
  deps.stderr(`acknowledged ${id}\n`);
}
