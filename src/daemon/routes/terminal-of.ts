// What the terminal of a run showed last, as far as a view quotes it. Every status asks for it, so that
// a log of the same length is drawn once.
import { stat } from "node:fs/promises";
import { ifThere } from "../../lib/if-there.ts";
import { TERMINAL_SIZE } from "../../ports/terminal.ts";
import { CAUSE_MAX_BYTES, type Terminal } from "../views/crash-cause.ts";
import type { Routes } from "./context.ts";

const CACHED_MAX = 100;
const drawn = new Map<string, { bytes: number; text: string }>();

export const terminalOf =
  ({ ports, paths }: Pick<Routes, "ports" | "paths">): Terminal =>
  async ({ project, id }) => {
    const logFile = paths.paneLog(project, id);
    const bytes = (await ifThere(stat(logFile)))?.size ?? 0;
    const before = drawn.get(logFile);
    if (before?.bytes === bytes) return before.text;
    const request = { logFile, maxBytes: CAUSE_MAX_BYTES, size: TERMINAL_SIZE };
    const text = await ports.sessionFiles.terminalLog(request);
    if (drawn.size >= CACHED_MAX) drawn.clear();
    drawn.set(logFile, { bytes, text });
    return text;
  };
