// Something that a person does on the page: sent once, and what went wrong is said where it was done.
import { useSignal, type Signal } from "@preact/signals";
import { CallError, post } from "./api.ts";
import { refresh } from "./facts.ts";

export type Act = {
  /** True from the click on; a failure makes it possible again. */
  isSent: Signal<boolean>;
  trouble: Signal<string | undefined>;
  send: (path: string, body: object) => void;
};

/** `again`: the same may be done a second time, as a pause that follows a resume. */
export function useAct({ again = false }: { again?: boolean } = {}): Act {
  const isSent = useSignal(false);
  const trouble = useSignal<string | undefined>(undefined);
  const send = (path: string, body: object): void => {
    isSent.value = true;
    trouble.value = undefined;
    post(path, body).then(
      () => {
        if (again) isSent.value = false;
        refresh();
      },
      (error: unknown) => {
        isSent.value = false;
        trouble.value = error instanceof CallError ? error.message : "the daemon does not answer";
      },
    );
  };
  return { isSent, trouble, send };
}
