// The agent programs that Pawl knows, and what is known of those on this machine.
import { z } from "zod";

export const runtimeSchema = z.object({
  name: z.string(),
  title: z.string(),
  /** The program that is started; null where Pawl brings it, or where [agent] command says it. */
  program: z.string().nullable(),
  installed: z.boolean(),
  version: z.string().nullable(),
  /** The newest version that Pawl is tested with. */
  tested: z.string().nullable(),
  /** Null where the program does not tell. */
  signed_in: z.boolean().nullable(),
  problems: z.array(z.string()),
  notes: z.array(z.string()),
  /** What it cannot do. */
  lacks: z.array(z.string()),
  /** How it is installed. */
  install: z.string().nullable(),
});

export type RuntimeView = z.infer<typeof runtimeSchema>;
