// The keys of the page: views, cards, the palette and the list of keys.
import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { chosen, LINKS } from "./links.ts";
import { inProjectOf, open } from "./route.ts";

export type Dialog = "keys" | "palette";

/** Which dialog is open. */
export function useKeys(): Signal<Dialog | undefined> {
  const dialog = useSignal<Dialog | undefined>(undefined);
  const turn = (one: Dialog): void => {
    dialog.value = dialog.value === one ? undefined : one;
  };
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      // With Alt it gives the keyboard of a terminal back.
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key === "k") {
        event.preventDefault();
        turn("palette");
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (event.key === "?") turn("keys");
      if (event.key === "j" || event.key === "k") focusCard(event.key === "j" ? 1 : -1);
      const link = LINKS.find(({ key }) => key === event.key);
      if (link !== undefined) open(inProjectOf(link.view, chosen()));
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return dialog;
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);

/** The first link or field of the next card. */
function focusCard(by: 1 | -1): void {
  const cards = [...document.querySelectorAll<HTMLElement>("main .card, main .link")];
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const next = cards[at === -1 && by === -1 ? cards.length - 1 : at + by];
  next?.querySelector<HTMLElement>("a, button, input, select, [tabindex]")?.focus();
}
