// The code of a failed system call, so that a catch can tell an answer (nothing is there) from a
// failure and rethrow the rest.

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error && typeof error.code === "string"
    ? error.code
    : undefined;

export function hasCode(error: unknown, codes: readonly string[]): boolean {
  const code = errorCode(error);
  return code !== undefined && codes.includes(code);
}

/** Nothing is there, or something on the way to it is no folder. */
export const isAbsent = (error: unknown): boolean => hasCode(error, ["ENOENT", "ENOTDIR"]);

/** It is there, but we may not read or change it. */
export const isForbidden = (error: unknown): boolean => hasCode(error, ["EACCES", "EPERM"]);
