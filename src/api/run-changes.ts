// What a run has changed, file by file, and what a person says about a line of it.
import { z } from "zod";

/** `marks`: which characters of a changed line differ, as pairs of from and to. */
const lineSchema = z.object({
  kind: z.enum(["same", "added", "removed"]),
  old: z.number().nullable(),
  new: z.number().nullable(),
  text: z.string(),
  marks: z.array(z.tuple([z.number(), z.number()])),
});

export type LineView = z.infer<typeof lineSchema>;

const hunkSchema = z.object({ header: z.string(), lines: z.array(lineSchema) });

const fileSchema = z.object({
  path: z.string(),
  /** Where it was renamed from. */
  old_path: z.string().nullable(),
  status: z.enum(["added", "removed", "renamed", "changed"]),
  is_binary: z.boolean(),
  added: z.number(),
  removed: z.number(),
  hunks: z.array(hunkSchema),
});

export type FileView = z.infer<typeof fileSchema>;

/** What is said about lines, oldest first. */
const commentViewSchema = z.object({
  id: z.string(),
  path: z.string(),
  line: z.number(),
  side: z.enum(["old", "new"]),
  text: z.string(),
  by: z.string(),
  at: z.string(),
  status: z.string(),
  read_at: z.string().nullable(),
});

export type CommentView = z.infer<typeof commentViewSchema>;

export const changesOfSchema = z.object({
  files: z.array(fileSchema),
  /** There is more than is told. */
  is_cut: z.boolean(),
});

export type ChangesOfView = z.infer<typeof changesOfSchema>;

const TEXT_MAX_CHARS = 8000;
const CODE_MAX_LINES = 40;
const LINE_MAX_CHARS = 500;

export const commentSchema = z.strictObject({
  by: z.string(),
  path: z.string().min(1).max(4096),
  line: z.number().int().positive(),
  side: z.enum(["old", "new"]),
  /** The lines as the person saw them. */
  code: z.array(z.string().max(LINE_MAX_CHARS)).min(1).max(CODE_MAX_LINES),
  text: z.string().trim().min(1).max(TEXT_MAX_CHARS),
});
