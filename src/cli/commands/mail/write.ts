// Sending mail: a person's letter goes to the daemon, an agent's into its spool.
import type { LetterView } from "../../../api/mail.ts";
import { PRIORITY_WORDS } from "../../../api/words.ts";
import type { Deps } from "../../deps.ts";
import { bodyFrom, usage, type BodyOptions } from "../../options.ts";
import { noteWhoActs } from "../../output/who-acts.ts";
import { ownIdentity, spool } from "../../own-session.ts";

export type Written = BodyOptions & {
  to?: string;
  replyTo?: string;
  subject?: string | undefined;
  priority: string;
};

export async function sendLetter(deps: Deps, written: Written): Promise<void> {
  const { to, replyTo, priority } = written;
  if (!PRIORITY_WORDS.includes(priority)) {
    throw usage(`"${priority}" is not a priority`, `one of: ${PRIORITY_WORDS.join(", ")}`);
  }
  const body = (await bodyFrom(deps, written)) ?? "";
  if (replyTo !== undefined && body.trim() === "") {
    throw usage(`cannot reply to ${replyTo}: the reply is empty`, "give --body or --body-file");
  }
  if (ownIdentity(deps) !== undefined) {
    const subject = written.subject ?? `Re: mail ${replyTo ?? ""}`;
    await spool(deps, { kind: "mail", to, reply_to: replyTo, subject, body, priority });
    deps.stderr("sent\n");
    return;
  }
  const request = {
    ...(to === undefined ? {} : { to }),
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(written.subject === undefined ? {} : { subject: written.subject }),
    body,
    priority,
    by: deps.user,
    key: `cli ${deps.newKey()}`,
  };
  const letter = await deps.client.post<LetterView>("/v1/mail", request);
  deps.stdout(`${letter.id}\n`);
  deps.stderr(`sent ${letter.id} to ${letter.to} (${letter.status})\n`);
  await noteWhoActs(deps);
}
