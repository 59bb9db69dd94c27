// Ways to people, as the daemon tells them.
import { z } from "zod";
import { CHANNEL_KINDS } from "../core/channel.ts";

export const channelSchema = z.object({
  project: z.string(),
  name: z.string(),
  kind: z.string(),
  severity: z.string(),
  /** News that waits to be brought. */
  pending: z.number(),
  /** Why the last try failed; null where it did not. */
  trouble: z.string().nullable(),
  trouble_at: z.string().nullable(),
  /** News that could not be brought since it last worked. */
  given_up: z.number(),
});

export type ChannelView = z.infer<typeof channelSchema>;

export const notifyTestSchema = z.object({ kind: z.enum(CHANNEL_KINDS).optional() });

export const notifyTestedSchema = z.object({
  project: z.string(),
  name: z.string(),
  kind: z.string(),
  /** Why it could not be brought; null where it was. */
  trouble: z.string().nullable(),
});

export type NotifyTestView = z.infer<typeof notifyTestedSchema>;

export const CHANNEL_WORDS: readonly string[] = CHANNEL_KINDS;
