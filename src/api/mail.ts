// Letters between agents, roles, patrols and the operator, as they are written and told.
import { z } from "zod";
import { BODY_MAX, PRIORITIES, SUBJECT_MAX } from "../core/mail/letter.ts";

export const newLetterSchema = z
  .strictObject({
    to: z.string().trim().min(1).max(200).optional(),
    replyTo: z.string().trim().min(1).max(20).optional(),
    subject: z
      .string()
      .trim()
      .max(SUBJECT_MAX, `a subject has at most ${SUBJECT_MAX} characters`)
      .optional(),
    body: z.string().max(BODY_MAX, `a letter has at most ${BODY_MAX} characters`).default(""),
    priority: z.enum(PRIORITIES).default("normal"),
    by: z.string().min(1).max(200),
    /** The same key again makes nothing twice. */
    key: z.string().min(1).max(200),
  })
  .refine(({ to, replyTo }) => to !== undefined || replyTo !== undefined, "it has no recipient");

export const readerSchema = z.strictObject({ by: z.string().min(1).max(200) });

export type LetterView = {
  id: string;
  project: string;
  thread: string;
  from: string;
  to: string;
  subject: string;
  body: string;
  priority: string;
  at: string;
  /** waiting, handed, read, acknowledged, dead */
  status: string;
  /** Who has it, who acknowledged it, or why it is dead. */
  detail: string;
};

export type ThreadView = { letter: LetterView; thread: LetterView[] };
