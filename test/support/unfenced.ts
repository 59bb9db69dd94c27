// Reads Markdown as a reader does, to see what text of others could pass for ours.

/** What stands outside of every fence, as a reader of Markdown sees it. */
export function unfenced(text: string): string {
  let fence = "";
  return text
    .split("\n")
    .filter((line) => {
      const mark = /^(`{3,})(\w*)$/.exec(line);
      const closes = mark !== null && fence !== "" && line.length >= fence.length && mark[2] === "";
      const wasOpen = fence !== "";
      if (closes) fence = "";
      else if (mark !== null && !wasOpen) fence = mark[1] ?? "";
      return !wasOpen && mark === null;
    })
    .join("\n");
}
