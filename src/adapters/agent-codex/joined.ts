// Messages that joined a turn under way. Codex accepts one at once, but its model is told it only with
// the next request of that turn: a turn that is interrupted drops it, and one that was just ending
// keeps it in the conversation without asking the model again. Either way it is left to be said.
import type { Item, Turn } from "./protocol.ts";

const CAME_LATE =
  "The message above came when your turn was just ending, and you have not answered it. Act on it now.";

export class JoinedMessages {
  readonly #sent = new Map<string, { text: string; isAccepted: boolean }>();
  readonly #kept = new Set<string>();
  /** The newest thing in the conversation is such a message. */
  #isUnanswered = false;
  #lastNumber = 0;

  /** The id to send it with. */
  send(text: string): string {
    this.#lastNumber += 1;
    const id = `pawl-${this.#lastNumber}`;
    this.#sent.set(id, { text, isAccepted: false });
    return id;
  }

  /** False where its turn is over without it: it is still to be said. */
  accepted(id: string): boolean {
    const message = this.#sent.get(id);
    if (message === undefined) return this.#kept.has(id);
    message.isAccepted = true;
    return true;
  }

  refused(id: string): void {
    this.#sent.delete(id);
  }

  /** An item of the turn has begun, or is whole. */
  hear(item: Item): void {
    if (item.type !== "userMessage") {
      this.#isUnanswered = false;
      return;
    }
    const id = item.clientId ?? this.#idOf(item);
    if (id === undefined || !this.#sent.delete(id)) return;
    this.#kept.add(id);
    this.#isUnanswered = true;
  }

  /** Older versions do not repeat the id that a message was sent with. */
  #idOf({ content }: Extract<Item, { type: "userMessage" }>): string | undefined {
    const said = content.map(({ text = "" }) => text).join("\n");
    return [...this.#sent].find(([, { text }]) => text === said)?.[0];
  }

  /** The turn is over: what must be said now, if anything. */
  left(status: Turn["status"]): string | undefined {
    const dropped = [...this.#sent.values()].filter(({ isAccepted }) => isAccepted);
    const isLate = this.#isUnanswered && status === "completed";
    this.#sent.clear();
    this.#isUnanswered = false;
    // After a failure, the conversation holds it: the next prompt makes its model read it.
    if (status === "failed") return undefined;
    if (dropped.length > 0) return dropped.map(({ text }) => text.trimEnd()).join("\n\n");
    return isLate ? CAME_LATE : undefined;
  }
}
