// A column of cards under its name and their number.
import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { whenIdle } from "./when-idle.ts";

/** As low as a card may be, with the gap below it. */
const CARD_MIN_PX = 80;
/** Of hundreds of cards, those on the screen are drawn first, and the others right after them. */
const isWhole = signal(false);

export const first = <T,>(all: readonly T[]): readonly T[] =>
  isWhole.value ? all : all.slice(0, Math.ceil(window.innerHeight / CARD_MIN_PX));

/** `then` is called when there is nothing else to do. */
export function drawRest(then: () => void): void {
  const draw = (): void => {
    isWhole.value = true;
  };
  // A page that is not looked at has no frames.
  if (document.hidden) draw();
  else {
    requestAnimationFrame(() => setTimeout(draw));
    whenIdle(then);
  }
}

type LaneProps = {
  title: string;
  /** Its number is meant for you. */
  isNeed?: true;
  count: number;
  /** Said beside the number. */
  more?: string;
  none: ComponentChildren;
  children: ComponentChildren;
};

export const Lane = ({ title, isNeed, count, more, none, children }: LaneProps) => (
  <section class="lane" aria-label={title}>
    <h2 class={isNeed && count > 0 ? "needing" : ""}>
      {title} <span class="count">{count}</span>
      {more !== undefined && <span class="meta"> {more}</span>}
    </h2>
    {count === 0 ? <p class="quiet">{none}</p> : <div class="cards">{children}</div>}
  </section>
);
