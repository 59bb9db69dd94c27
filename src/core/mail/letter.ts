// A letter between agents, roles, patrols and the operator. It is acknowledged, or visibly is not.
//
//   waiting ──> handed (among a run's messages) ──> acknowledged
//      │ ^         └──> waiting again, where that run ends first
//      │ └───────────── read (shown to a person, or to an agent that continued without acknowledging)
//      └──> dead (not collected in time: shown to the operator, never dropped)
import type { RunId } from "../ids.ts";

export const PRIORITIES = ["low", "normal", "high", "urgent"] as const;
export type Priority = (typeof PRIORITIES)[number];

export type LetterState =
  | { kind: "waiting"; until: number | undefined }
  | { kind: "handed"; run: RunId }
  | { kind: "read"; at: number }
  | { kind: "acknowledged"; at: number; by: string }
  | { kind: "dead"; at: number; why: string };

export type Letter = {
  id: string;
  /** The id of the first letter of its thread. */
  thread: string;
  /** An address that an answer reaches. */
  from: string;
  /** The person who wrote it, where it was one. */
  by?: string;
  to: string;
  subject: string;
  body: string;
  priority: Priority;
  at: number;
  /** Names the request that made it, so that a repeated one makes nothing. */
  key?: string;
  state: LetterState;
};

/** What a sender writes. `to` may be left out in an answer. */
export type NewLetter = {
  from: string;
  by?: string;
  to?: string;
  replyTo?: string;
  subject: string;
  body: string;
  priority: Priority;
  key?: string;
};

export const SUBJECT_MAX = 200;
export const BODY_MAX = 20_000;

/** It still has to be read or acknowledged. */
export const isOpenLetter = ({ state }: Letter): boolean =>
  state.kind === "waiting" || state.kind === "handed" || state.kind === "read";

/** It was not shown to an agent or a person, or was not collected. */
export const isUnread = ({ state }: Letter): boolean =>
  state.kind === "waiting" || state.kind === "dead";
