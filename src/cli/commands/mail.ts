// `pawl mail inbox|read|send|reply|ack`: letters between agents, roles, patrols and the operator.
// Inside a session an agent writes through its spool, because it must never wait for the daemon.
import { allProjects, oldAll } from "../options.ts";
import type { AddCommand } from "../command.ts";
import { ackLetter, readLetter, showInbox } from "./mail/look.ts";
import { sendLetter } from "./mail/write.ts";

const EXAMPLES = `
Examples:
  pawl mail inbox
  pawl mail read 3 && pawl mail reply 3 --body "Use the second form."
  pawl mail send dev-42 --subject "The API changed" --body "See docs/api.md."
  pawl mail send dev --subject "Stop using v1" --priority urgent
  pawl mail ack 3

Letters of Pawl itself have names with an f, as in \`pawl mail read f1\`.
An address is operator, deacon, a role (one of its agents gets the letter) or an identity.`;

export const addMail: AddCommand = (program, { deps }) => {
  const mail = program
    .command("mail")
    .description("read and send letters between agents, roles and you")
    .addHelpText("after", EXAMPLES);
  mail
    .command("inbox")
    .description("list your open letters; inside a session, those of its agent")
    .option("--for <address>", "the inbox of another address")
    .option("--closed", "also acknowledged letters")
    .addOption(allProjects())
    .addOption(oldAll())
    .option("--json", "print JSON with all fields")
    .action((options) => showInbox(deps(), options));
  mail
    .command("read")
    .description("show a letter with its thread")
    .argument("<id>", "its name in the inbox, such as 3 or f1")
    .option("--json", "print JSON with all fields")
    .action((id, options) => readLetter(deps(), id, options));
  mail
    .command("send")
    .description("send a letter")
    .argument("<to>", "operator, deacon, a role or an identity")
    .requiredOption("--subject <text>", "what it is about")
    .option("--body <text>", "the letter")
    .option("--body-file <file>", "read it from a file, or from stdin with -")
    .option("--priority <word>", "low, normal, high or urgent; urgent interrupts", "normal")
    .action((to, options) => sendLetter(deps(), { to, ...options }));
  mail
    .command("reply")
    .description("answer a letter, in its thread")
    .argument("<id>", "the letter, such as 3 or f1")
    .option("--subject <text>", "change the subject")
    .option("--body <text>", "the letter")
    .option("--body-file <file>", "read it from a file, or from stdin with -")
    .option("--priority <word>", "low, normal, high or urgent", "normal")
    .action((id, options) => sendLetter(deps(), { replyTo: id, ...options }));
  mail
    .command("ack")
    .description("acknowledge a letter")
    .argument("<id>", "the letter, such as 3 or f1")
    .action((id) => ackLetter(deps(), id));
};
