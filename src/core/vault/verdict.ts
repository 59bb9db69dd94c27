// An operator's decision in a comment: `APPROVE id` or `REJECT id`, on a separate line. The author
// is checked elsewhere; quoted lines and code fences are ignored, because others wrote them.

export type Verdict = {
  kind: "approve" | "reject";
  id: string;
  /** The beginning of the payload's hash, where the operator gave it. */
  hash?: string;
  reason: string;
};

const LINE =
  /^(?<word>APPROVE|REJECT)\s+(?<id>[A-Za-z0-9][\w.-]{0,79})(?:\s+sha256:(?<hash>[0-9a-f]{8,64}))?(?:[\s:]+(?<reason>\S.*))?$/;

export function parseVerdicts(comment: string): Verdict[] {
  const verdicts: Verdict[] = [];
  let fence: string | undefined;
  for (const line of comment.split(/\r?\n/)) {
    const mark = /^\s{0,3}(?<mark>`{3,}|~{3,})/.exec(line)?.groups?.["mark"];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) {
      fence = fence === undefined ? mark : undefined;
    }
    const found = fence === undefined ? LINE.exec(line.trimEnd())?.groups : undefined;
    if (found === undefined) continue;
    const { word, id = "", hash, reason = "" } = found;
    const kind = word === "APPROVE" ? "approve" : "reject";
    verdicts.push({ kind, id, reason: reason.trim(), ...(hash === undefined ? {} : { hash }) });
  }
  return verdicts;
}
