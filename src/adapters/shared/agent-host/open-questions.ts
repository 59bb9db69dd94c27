// The questions of an agent's server that wait for an answer: one at a time reaches a person.
import type { DriverEvent } from "./driver.ts";

export type AskId = string | number;

export type Ask = {
  /** As the server knows it. */
  id: AskId;
  text: string;
  /** `result`: what the server is answered. */
  choices: { words: string; result: unknown }[];
};

export class OpenQuestions {
  readonly #onEvent: (event: DriverEvent) => void;
  #asks: Ask[] = [];

  constructor(onEvent: (event: DriverEvent) => void) {
    this.#onEvent = onEvent;
  }

  add(ask: Ask | undefined): void {
    if (ask === undefined) return;
    this.#asks.push(ask);
    if (this.#asks.length === 1) this.#askFirst();
  }

  /** What is to be answered; undefined where that question is not open any more. */
  take(name: string, choice: number): { id: AskId; result: unknown } | undefined {
    const ask = this.#asks.find(({ id }) => nameOf(id) === name);
    const chosen = ask?.choices[choice];
    if (ask === undefined || chosen === undefined) return undefined;
    this.#settle(ask.id);
    return { id: ask.id, result: chosen.result };
  }

  /** Answered elsewhere: at the screen of the agent. */
  resolved(id: AskId): void {
    if (!this.#asks.some((ask) => ask.id === id)) return;
    this.#onEvent({ kind: "answered", id: nameOf(id) });
    this.#settle(id);
  }

  /** Their turn is over. */
  allResolved(): void {
    const [first] = this.#asks.splice(0);
    if (first !== undefined) this.#onEvent({ kind: "answered", id: nameOf(first.id) });
  }

  #settle(id: AskId): void {
    const wasFirst = this.#asks[0]?.id === id;
    this.#asks = this.#asks.filter((ask) => ask.id !== id);
    if (wasFirst) this.#askFirst();
  }

  #askFirst(): void {
    const [ask] = this.#asks;
    if (ask === undefined) return;
    const choices = ask.choices.map(({ words }) => words);
    this.#onEvent({ kind: "question", id: nameOf(ask.id), text: ask.text, choices });
  }
}

const nameOf = (id: AskId): string => `ask-${id}`;
