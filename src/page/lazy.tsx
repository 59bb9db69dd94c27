// A view whose code is loaded when it is first opened: most people who open the page never need it.
import type { ComponentType, VNode } from "preact";
import { signal } from "@preact/signals";

export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => VNode {
  const loaded = signal<ComponentType<Props> | undefined>(undefined);
  const trouble = signal<string | undefined>(undefined);
  let isAsked = false;
  return (props) => {
    if (!isAsked) {
      isAsked = true;
      load().then(
        (component) => (loaded.value = component),
        (error: unknown) => {
          isAsked = false;
          trouble.value = `this view cannot be loaded: ${String(error)}`;
        },
      );
    }
    const Shown = loaded.value;
    if (Shown !== undefined) return <Shown {...props} />;
    return <p class="quiet">{trouble.value ?? "Reading…"}</p>;
  };
}
