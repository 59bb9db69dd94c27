// Brings news to people who are not looking: a webhook, the desktop, a command.
// Contract: at least once; the key lets a receiver fold repetitions. A failure never stops a run.
export type News = {
  key: string;
  severity: "info" | "warning" | "urgent";
  title: string;
  body: string;
  project: string;
};

export type Notifier = { notify(news: News): Promise<void> };
