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

export const letterSchema = z.object({
  id: z.string(),
  project: z.string(),
  thread: z.string(),
  from: z.string(),
  to: z.string(),
  subject: z.string(),
  body: z.string(),
  priority: z.string(),
  at: z.string(),
  /** waiting, handed, read, acknowledged, dead */
  status: z.string(),
  /** Who has it, who acknowledged it, or why it is dead. */
  detail: z.string(),
});

export const threadSchema = z.object({ letter: letterSchema, thread: z.array(letterSchema) });

export type LetterView = z.infer<typeof letterSchema>;
export type ThreadView = z.infer<typeof threadSchema>;
