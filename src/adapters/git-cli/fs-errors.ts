// Names for the few failures of the file system that are answers, not errors.

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** Nothing is there, or something on the way to it is no folder. */
export const isMissing = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
};

/** It is there, but we may not read or change it. */
export const isForbidden = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === "EACCES" || code === "EPERM";
};
