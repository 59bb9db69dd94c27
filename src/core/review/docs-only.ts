// Whether a branch changes documentation only: then `[review] docs` says whether it is reviewed.
const DOCUMENTS = /(?:\.(?:md|markdown|mdx|rst|adoc|txt|org)|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS))$/i;
/** Texts that steer programs or agents are no documentation. */
const STEERING = /(?:^|\/)(?:(?:AGENTS|requirements|CMakeLists|robots)\.(?:md|txt)$|\.pawl\/)/i;

export const isDocsOnly = (files: string[], instructions: string[] = []): boolean =>
  files.length > 0 &&
  files.every((file) => DOCUMENTS.test(file) && !isSteering(file, instructions));

/** `instructions`: names of further files that agents obey. */
export function isSteering(file: string, instructions: string[] = []): boolean {
  const name = file.split("/").at(-1)?.toLowerCase();
  return STEERING.test(file) || instructions.some((one) => one.toLowerCase() === name);
}
