// How often each numbered message (`N-7;`) stands in what users have said to an agent. Each text is read
// once: a thousand requests that each have the whole conversation are too much to be read at every look,
// and the stub of the model, which runs in the same process, would answer no request meanwhile.
const NUMBERED = /N-(\d+);/g;

export class SaidNumbers {
  readonly #most = new Map<number, number>();

  /** Answers the numbers in it, in their order. */
  read(text: string): number[] {
    const numbers = [...text.matchAll(NUMBERED)].map(([, digits]) => Number(digits));
    const counts = new Map<number, number>();
    for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
    for (const [number, count] of counts) {
      this.#most.set(number, Math.max(count, this.#most.get(number) ?? 0));
    }
    return numbers;
  }

  /** Of the messages 1 to `messages`: the most that one text has. */
  counts(messages: number): number[] {
    return Array.from({ length: messages }, (_, index) => this.#most.get(index + 1) ?? 0);
  }
}
