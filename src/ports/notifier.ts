// Brings news to people who are not looking: a webhook, the desktop, a command.
// Contract: at least once; the key lets a receiver drop repetitions. `notify` never waits for a
// server, so that a channel that fails or hangs stops no run.
export type News = {
  key: string;
  severity: "info" | "warning" | "urgent";
  title: string;
  body: string;
  project: string;
  /** The issue it is about, where it is about one. */
  issue?: number;
};

export type Notifier = {
  notify(news: News): Promise<void>;
  /** Called whenever news was accepted. Returns a function that unsubscribes. */
  onTaken(listener: () => void): () => void;
};

/** One way to a person. A failure is an OperationError that names no secret. */
export type Channel = { send(news: News): Promise<void> };
