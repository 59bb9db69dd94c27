// Which names of an API's answers Pawl reads: all that its zod schemas mention. A fake must answer those
// by itself.
import type { ZodType } from "zod";

type Def = {
  shape?: Record<string, ZodType>;
  innerType?: ZodType;
  element?: ZodType;
  in?: ZodType;
  options?: ZodType[];
};

export function namesRead(schemas: readonly unknown[]): ReadonlySet<string> {
  const names = new Set<string>();
  const walk = (schema: ZodType): void => {
    const def = schema._zod.def as Def;
    for (const [name, one] of Object.entries(def.shape ?? {})) {
      names.add(name);
      walk(one);
    }
    const inner = [def.innerType, def.element, def.in, ...(def.options ?? [])];
    for (const one of inner) if (one !== undefined) walk(one);
  };
  for (const one of schemas) if (isSchema(one)) walk(one);
  return names;
}

const isSchema = (one: unknown): one is ZodType =>
  typeof one === "object" && one !== null && "_zod" in one;
