// Work that is asked for while it is under way is done once more afterwards, however often it was
// asked for. Without this, work that causes its own next request multiplies.

/** The promise is of the round that began after the call. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    // Not at once: work that asks for itself at its beginning must find itself under way.
    const round = Promise.resolve()
      .then(work)
      .finally(() => {
        if (underWay === round) underWay = undefined;
      });
    underWay = round;
    return round;
  };
  return () => {
    if (underWay === undefined) return begin();
    next ??= underWay
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
