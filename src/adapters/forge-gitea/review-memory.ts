// Reviews that were read are not read again while their PR has not changed. Gitea's times have
// seconds: what was read within a few seconds of a change may miss another one in the same second,
// and is not kept.
import type { Review } from "../../ports/forge.ts";
import type { Changes } from "./changes.ts";

const SETTLED_MS = 3000;
const KEPT_MAX = 200;

type Kept = { updatedAt: number; readAt: number; reviews: Review[] };

export type ReviewMemory = {
  reviews(pr: number, read: () => Promise<Review[]>): Promise<Review[]>;
  /** We changed them ourselves. */
  forget(pr: number): void;
};

export function createReviewMemory(changes: Changes, now: () => number): ReviewMemory {
  const kept = new Map<number, Kept>();
  return {
    async reviews(pr, read) {
      const stamp = changes.stampOf(pr);
      const known = kept.get(pr);
      if (stamp !== undefined && known?.updatedAt === stamp.updatedAt) {
        if (known.readAt - stamp.seenAt >= SETTLED_MS) return known.reviews;
      }
      const readAt = now();
      const reviews = await read();
      if (stamp === undefined) return reviews;
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(pr, { updatedAt: stamp.updatedAt, readAt, reviews });
      return reviews;
    },
    forget: (pr) => {
      kept.delete(pr);
    },
  };
}
