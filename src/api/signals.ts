// Signals as the daemon tells them, oldest first.
import { z } from "zod";

export const signalSchema = z.object({
  seq: z.number(),
  kind: z.string(),
  at: z.string(),
  project: z.string(),
  identity: z.string().nullable(),
  run: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
});

export type SignalView = z.infer<typeof signalSchema>;
