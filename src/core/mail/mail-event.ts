// Facts about a project's mailbox: who wrote, who was handed a letter, who has read it.
import type { ProjectName, RunId } from "../ids.ts";
import type { NewLetter } from "./letter.ts";

export type MailEvent =
  /** `run`: whose agent wrote it. */
  | { kind: "mail-sent"; at: number; project: ProjectName; letter: NewLetter; run?: RunId }
  /** A run began, or was there when a letter came: what waits for its identity or role is handed over. */
  | { kind: "worker-started"; at: number; run: RunId; identity: string; role: string }
  /** It is among that run's messages. */
  | { kind: "mail-handed"; at: number; id: string; run: RunId }
  /** That run ended, and its agent had not read the letter. */
  | { kind: "mail-returned"; at: number; id: string; run: RunId }
  | { kind: "mail-read"; at: number; id: string; by: string }
  | { kind: "mail-acknowledged"; at: number; id: string; by: string };
