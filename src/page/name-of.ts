/** What a run or a question is called: its issue, or its task. */
export const nameOf = ({ issue, title }: { issue: number | null; title: string }): string =>
  issue === null ? title : `#${issue} ${title}`;

export const crashesOf = ({ crashes }: { crashes: number }): string =>
  `${crashes} ${crashes === 1 ? "crash" : "crashes"}`;
