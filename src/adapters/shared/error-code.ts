// The code of a failed system call, so that a catch can tell an answer (nothing is there) from a
// failure and rethrow the rest.

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

/** Nothing is there, or something on the way to it is no folder. */
export function isAbsent(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR";
}
