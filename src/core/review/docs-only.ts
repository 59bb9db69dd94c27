// Whether a branch changes documentation only: then `[review] docs` says whether it is reviewed.
const DOCUMENTS = /(?:\.(?:md|markdown|mdx|rst|adoc|txt|org)|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS))$/i;
/** Texts that steer programs or agents are no documentation. */
const STEERING = /(?:^|\/)(?:AGENTS|requirements|CMakeLists|robots)\.(?:md|txt)$/i;

/** `instructions`: names of further files that agents obey. */
export function isDocsOnly(files: string[], instructions: string[] = []): boolean {
  const isSteering = (file: string): boolean =>
    STEERING.test(file) || instructions.includes(file.split("/").at(-1) ?? "");
  return files.length > 0 && files.every((file) => DOCUMENTS.test(file) && !isSteering(file));
}
