// What a publisher behind the port must do, as tests: the simulator's and the one that writes files
// run the same suite, so that the fake stays honest.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Publisher } from "./publisher.ts";

export type PublisherUnderTest = {
  publisher: Publisher;
  /** The path of a copy with this name; nothing is there yet, not even its folder. */
  place: (name: string) => string;
  /** What a reader finds there. */
  read(path: string): Promise<string | undefined>;
  close(): Promise<void>;
};

export function publisherContract(name: string, open: () => Promise<PublisherUnderTest>): void {
  describe(`${name} keeps its contract`, () => {
    let under: PublisherUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.close());

    test("what was published last is what is read, and only there", async () => {
      const { publisher } = under;
      const path = under.place("a");
      expect(await under.read(path)).toBeUndefined();
      for (const text of ["a longer first one\n", "second\n", "second\n"]) {
        await publisher.publish(path, text);
        expect(await under.read(path)).toBe(text);
      }
      await publisher.publish(under.place("b"), "another");
      expect(await under.read(path)).toBe("second\n");
    });

    test("of two that are published at once, one is read whole", async () => {
      const path = under.place("c");
      const texts = ["x".repeat(100_000), "y".repeat(50_000)];
      await Promise.all(texts.map((text) => under.publisher.publish(path, text)));
      expect(texts).toContain(await under.read(path));
    });
  });
}
