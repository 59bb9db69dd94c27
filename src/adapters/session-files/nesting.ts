// How deep the lists and objects of a JSON text lie in each other. Programs of an agent write reports of any
// depth: what walks them afterwards calls itself for each level, and would run out of stack.

const LEVELS_MAX = 100;

const [QUOTE, BACKSLASH] = ['"', "\\"];

/** Also of a text that is no JSON: brackets inside strings do not count. */
export function isNestedTooDeep(text: string): boolean {
  let levels = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === BACKSLASH && isInString) at += 1;
    else if (character === QUOTE) isInString = !isInString;
    else if (isInString) continue;
    else if (character === "[" || character === "{") levels += 1;
    else if (character === "]" || character === "}") levels -= 1;
    if (levels > LEVELS_MAX) return true;
  }
  return false;
}
