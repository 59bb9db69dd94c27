// Texts of other systems' formulas: the templates of Go and of Handlebars become ours. What has no
// counterpart becomes a word in angle brackets, which an agent reads as "fill this in".

export type Texts = {
  /** The name of the formula, for `{{.formula_name}}`. */
  name: string;
  /** Says what could not be kept. */
  note: (text: string) => void;
};

const TAG = /[ \t]*\{\{-?\s*(?<tag>[^{}]*?)\s*-?\}\}/g;
const IS_GO = /\{\{-?\s*(?:(?:if|with|range)\s|\.[A-Za-z])/;
const NAME = /^\.?([A-Za-z][A-Za-z0-9_-]*)$/;

/** `isConvoy`: its texts are templates of Go; those of workflows are so only where they look like it. */
export function importText(text: string, isConvoy: boolean, texts: Texts): string {
  const bars = withHandlebars(text);
  if (!isConvoy && !(IS_GO.test(bars) && /\{\{-?\s*end\s*-?\}\}/.test(bars))) return bars;
  return withGo(bars, texts);
}

/** `{{#if x}} … {{/if}}` */
const withHandlebars = (text: string): string =>
  text
    .replaceAll(/\{\{#if\s+([^{}]+?)\s*\}\}/g, "{{if $1}}")
    .replaceAll(/\{\{#unless\s+([^{}]+?)\s*\}\}/g, "{{if not $1}}")
    .replaceAll(/\{\{#each\s+([^{}]+?)\s*\}\}/g, "{{range $1}}")
    .replaceAll(/\{\{\/(?:if|unless|each)\}\}/g, "{{end}}")
    .replaceAll(/\{\{\s*this\s*\}\}/g, "{{.}}");

type Block = { kind: "if" | "range" | "plain"; ends: number };

function withGo(text: string, texts: Texts): string {
  const blocks: Block[] = [];
  const changed = text
    .replaceAll(
      /\{\{-?\s*\.output\.directory\s*-?\}\}\/\{\{-?\s*\.output\.synthesis\s*-?\}\}/g,
      "$PAWL_RESULT_FILE",
    )
    .replaceAll(TAG, (whole, ...more) => {
      const { tag } = more.at(-1) as { tag: string };
      const white = /^[ \t]*/.exec(whole)?.[0] ?? "";
      return white + tagText(tag, { blocks, texts });
    });
  if (blocks.length === 0) return changed;
  texts.note("a template without its {{end}}: it ends with the text now");
  return changed + blocks.map(({ ends }) => "{{end}}".repeat(ends)).join("");
}

type Walk = { blocks: Block[]; texts: Texts };

function tagText(tag: string, walk: Walk): string {
  const [word = "", ...rest] = tag.split(/\s+/);
  const last = walk.blocks.at(-1);
  switch (word) {
    case "/*":
      return "";
    case "if":
    case "with":
      return opened(rest.join(" "), walk);
    case "range": {
      const name = NAME.exec(rest.at(-1) ?? "")?.[1] ?? rest.join(" ");
      walk.blocks.push({ kind: "range", ends: 0 });
      walk.texts.note(`{{range ${name}}}: its body is written once, for each of {{${name}}}`);
      return `(for each of {{${name}}}:)`;
    }
    case "else": {
      if (last?.kind !== "if") return "";
      if (rest.length === 0) return "{{else}}";
      const test = testText(rest.slice(1).join(" "));
      if (test === undefined) {
        walk.texts.note(`{{else if ${rest.slice(1).join(" ")}}}: its condition is dropped`);
        return "{{else}}";
      }
      last.ends += 1;
      return `{{else}}{{if ${test}}}`;
    }
    case "end":
      return "{{end}}".repeat(walk.blocks.pop()?.ends ?? 0);
    default: {
      // The fields of what a range goes through are no variables.
      const isItem = walk.blocks.some(({ kind }) => kind === "range") && tag.startsWith(".");
      return isItem && !tag.startsWith(".leg.")
        ? `<${tag.slice(1) || "item"}>`
        : valueText(tag, walk.texts);
    }
  }
}

function opened(condition: string, { blocks, texts }: Walk): string {
  const test = testText(condition);
  if (test !== undefined) {
    blocks.push({ kind: "if", ends: 1 });
    return `{{if ${test}}}`;
  }
  texts.note(`{{if ${condition}}}: its condition is dropped, its text is kept`);
  blocks.push({ kind: "plain", ends: 0 });
  return "";
}

/** `.x`, `not .x`, `eq .x "y"`, `ne .x "y"` */
function testText(condition: string): string | undefined {
  const plain = NAME.exec(condition)?.[1];
  if (plain !== undefined) return plain;
  const negated = /^not\s+\.?([A-Za-z][A-Za-z0-9_-]*)$/.exec(condition)?.[1];
  if (negated !== undefined) return `not ${negated}`;
  const compared = /^(eq|ne)\s+\.?([A-Za-z][A-Za-z0-9_-]*)\s+"([^"]*)"$/.exec(condition);
  if (compared === null) return undefined;
  return `${compared[2]} ${compared[1] === "eq" ? "==" : "!="} "${compared[3]}"`;
}

const KNOWN: Record<string, string> = {
  output_path: "$PAWL_RESULT_FILE",
  "output.directory": "$PAWL_INPUTS",
  "output.synthesis": "$PAWL_RESULT_FILE",
};

function valueText(tag: string, { name, note }: Texts): string {
  const path = tag.replace(/^\./, "");
  if (["formula_name", "formula"].includes(path)) return name;
  const known = KNOWN[path];
  if (known !== undefined) return known;
  if (NAME.test(path) || /^leg\.[A-Za-z][A-Za-z0-9_-]*$/.test(path)) return `{{${path}}}`;
  if (path === "") return "<item>";
  if (/^[A-Za-z][\w.-]*$/.test(path)) {
    note(`{{${tag}}}: it became <${path}>`);
    return `<${path}>`;
  }
  note(`{{${tag}}}: it became plain text`);
  return `<${path}>`;
}
