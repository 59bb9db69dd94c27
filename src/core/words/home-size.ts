// What people are told of the room that PAWL_HOME takes.

export type HomeUse = {
  home: string;
  bytes: number;
  maxBytes: number;
  /** The largest first. */
  parts: { part: string; bytes: number }[];
};

const PARTS_MAX = 3;

export function homeOver({ home, bytes, maxBytes, parts }: HomeUse): string {
  const largest = parts.slice(0, PARTS_MAX).map(({ part, bytes: size }) => `${part} ${room(size)}`);
  return (
    `${home} takes ${room(bytes)}, and factory.toml allows ${room(maxBytes)}: ${largest.join(", ")}. ` +
    "Nothing more can be removed without losing work: answer or end runs that wait, or raise max_gb"
  );
}

export const room = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`;
