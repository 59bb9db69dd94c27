// The status of an entry in the words that people read elsewhere, as docs/merge-queue.md explains them;
// pipes and JSON keep the names that scripts know.
const WORDS: Readonly<Record<string, string>> = {
  merged: "landed",
  returned: "sent back",
  withdrawn: "cancelled",
  narrowing: "splitting",
};

export const queueWord = (status: string): string => WORDS[status] ?? status;
