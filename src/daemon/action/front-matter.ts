// The front matter of an action issue: YAML between two lines of `---` at its beginning, naming the
// formula that carries it out, the formula's variables and the model.
import { parse, YAMLParseError } from "yaml";
import { z } from "zod";
import { frontMatterOf } from "../../lib/front-matter.ts";
import { OperationError } from "../../lib/operation-error.ts";

const schema = z.strictObject({
  formula: z.string().min(1).max(100).optional(),
  vars: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
  model: z.string().min(1).max(100).optional(),
});

export type FrontMatter = {
  formula: string | undefined;
  vars: Record<string, string>;
  model: string | undefined;
  /** What stands below it. */
  rest: string;
};

export function readFrontMatter(body: string): FrontMatter {
  const found = frontMatterOf(body);
  if (found === undefined) return { formula: undefined, vars: {}, model: undefined, rest: body };
  const read = schema.safeParse(parsed(found.text) ?? {});
  if (!read.success) throw unusable(z.prettifyError(read.error));
  const { formula, vars = {}, model } = read.data;
  const texts = Object.entries(vars).map(([name, value]) => [name, String(value)] as const);
  return { formula, vars: Object.fromEntries(texts), model, rest: body.slice(found.length) };
}

function parsed(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLParseError) throw unusable(error.message);
    // An alias that names nothing, as `*.log` is one.
    if (error instanceof ReferenceError) throw unusable(error.message);
    throw error;
  }
}

const unusable = (why: string): OperationError =>
  new OperationError(`the front matter cannot be used: ${why}`, {
    code: "front-matter",
    hint: "between the lines of --- there may be `formula`, `vars` and `model`",
  });
