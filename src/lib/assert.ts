// Programmer errors: a failed assertion means that Pawl itself is wrong, so it
// crashes and recovers from the journal. Never for what users, agents or the
// network can cause; that is an OperationError or a value.

export class AssertionError extends Error {
  override name = "AssertionError";
}

export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionError(`assertion failed: ${message}`);
}

// Ends a switch over a union: the compiler rejects a forgotten member, and a value
// from outside the type (an old journal, a cast) stops here instead of passing on.
export function unreachable(value: never): never {
  throw new AssertionError(`assertion failed: unexpected value ${describe(value)}`);
}

function describe(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // A cyclic value or a bigint has no JSON; the assertion must still be reported.
    return String(value);
  }
}
