// The parts of Woodpecker's answers that Pawl reads, as its server's model writes them.
import * as z from "zod";

const stepSchema = z.object({
  /** Logs are read by this, not by `pid`. */
  id: z.number(),
  name: z.string(),
  state: z.string(),
  error: z.string().optional(),
  exit_code: z.number(),
  started: z.number().optional(),
  finished: z.number().optional(),
});

export type Step = z.infer<typeof stepSchema>;

export const listedPipelineSchema = z.object({
  number: z.number(),
  status: z.string(),
  event: z.string(),
  commit: z.string(),
});

export type ListedPipeline = z.infer<typeof listedPipelineSchema>;

export const pipelineSchema = listedPipelineSchema.extend({
  errors: z.array(z.object({ message: z.string(), is_warning: z.boolean().optional() })).nullish(),
  workflows: z
    .array(z.object({ name: z.string(), children: z.array(stepSchema).nullish() }))
    .nullish(),
});

export type Pipeline = z.infer<typeof pipelineSchema>;

export const repoSchema = z.object({ id: z.number() });

/** `data` is base64; only the output itself has type 0 (stdout) or 1 (stderr). */
export const logEntrySchema = z.object({
  line: z.number(),
  data: z.string().nullable(),
  type: z.number(),
});

export type LogEntry = z.infer<typeof logEntrySchema>;
