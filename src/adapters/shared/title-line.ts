// Titles of issues and PRs, for every forge.
/** A title is one line, as on every forge; everything else in it stays. */
export const oneLine = (title: string): string => title.replace(/[\r\n\u2028\u2029]+/g, " ");
