// An issue as every forge tells it, and the labels of its life.
export type Issue = {
  number: number;
  title: string;
  body: string;
  state: "open" | "closed";
  labels: string[];
  author: string;
  createdAt: number;
  updatedAt: number;
  url: string | undefined;
};

export const LABELS = {
  backlog: "backlog",
  inProgress: "in-progress",
  blocked: "blocked",
  priority: "priority",
  underspecified: "underspecified",
  techDebt: "tech-debt",
  vision: "vision",
  action: "action",
  predictionUnreviewed: "prediction/unreviewed",
  predictionBacklog: "prediction/backlog",
  predictionActioned: "prediction/actioned",
} as const;
