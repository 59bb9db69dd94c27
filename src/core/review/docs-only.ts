// Whether a branch changes documentation only: then `[review] docs` says whether it is reviewed.
const DOCUMENTS = /(?:\.(?:md|markdown|mdx|rst|adoc|txt|org)|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS))$/i;
/** Texts that steer programs or agents are no documentation. */
const STEERING = /(?:^|\/)(?:AGENTS|CLAUDE|requirements|CMakeLists|robots)\.(?:md|txt)$/i;

export const isDocsOnly = (files: string[]): boolean =>
  files.length > 0 && files.every((file) => DOCUMENTS.test(file) && !STEERING.test(file));
