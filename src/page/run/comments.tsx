// Comments on lines: written here, read by the agent, which says so.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { CommentView } from "../../api/run-changes.ts";
import { ago } from "../time.ts";
import { wordsOf } from "./use-parts.ts";

export type Place = { path: string; line: number; side: "old" | "new"; code: string[] };

type FormProps = { place: Place; onSend: (text: string) => Promise<void>; onClose: () => void };

export function CommentForm({ place, onSend, onClose }: FormProps) {
  const text = useSignal("");
  const isSending = useSignal(false);
  const trouble = useSignal<string | undefined>(undefined);
  const box = useRef<HTMLTextAreaElement>(null);
  // Before the next key: outside the box it would mean something else.
  useLayoutEffect(() => box.current?.focus(), []);
  const send = async (): Promise<void> => {
    if (text.value.trim() === "" || isSending.value) return;
    isSending.value = true;
    try {
      await onSend(text.value);
      onClose();
    } catch (error) {
      trouble.value = wordsOf(error);
      isSending.value = false;
    }
  };
  const sendNow = (): void => {
    send().catch((error: unknown) => console.error(error));
  };
  return (
    <form
      class="comment"
      onSubmit={(event) => {
        event.preventDefault();
        sendNow();
      }}
    >
      <textarea
        ref={box}
        rows={3}
        aria-label={`Comment on line ${place.line} of ${place.path}`}
        placeholder="What should the agent do here?"
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) sendNow();
        }}
      />
      <div class="choices">
        <button type="submit" disabled={isSending.value}>
          Send to the agent
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
      {trouble.value !== undefined && <p role="alert">{trouble.value}</p>}
    </form>
  );
}

type CommentProps = { comment: CommentView; isOutdated?: true };

export const Comment = ({ comment, isOutdated }: CommentProps) => (
  <div class="comment" role="note">
    <p class="question">{comment.text}</p>
    <p class="meta">
      {comment.by} · {ago(comment.at, Date.now())} · <span class="read">{readWords(comment)}</span>
      {isOutdated && ` · line ${comment.line}, which has changed since`}
    </p>
  </div>
);

const WORDS: Record<string, string> = {
  queued: "on its way to the agent",
  delivered: "in the agent's inbox, not read yet",
  told: "in the agent's prompt",
  acknowledged: "read by the agent",
  unconfirmed: "the agent continued without confirming that it read this",
  void: "not read: the run ended",
};

function readWords({ status, read_at }: CommentView): string {
  if (read_at !== null) return `read by the agent ${ago(read_at, Date.now())}`;
  return WORDS[status] ?? status;
}
