// A text of others on one line: it can neither begin a heading of its own nor forge a further line.
export const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim();
