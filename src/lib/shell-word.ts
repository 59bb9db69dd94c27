// One word of a shell command. Single-quoted, where sh takes every byte as it is.
export const shellWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;
