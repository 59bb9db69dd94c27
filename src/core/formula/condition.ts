// `when`: a small expression over variables and the results of earlier steps. It has no calls, no
// loops and no errors at run time: it is true or false for all values.
//
//   vars.env == "prod" and steps.build.status == "done"
//   not (steps.scan.output contains "clean") or vars.count > 3
export type Operand =
  | { kind: "text"; value: string }
  | { kind: "var"; name: string }
  | { kind: "step"; step: string; field: StepField };

export type StepField = "status" | "output";

export const COMPARISONS = ["==", "!=", "<=", ">=", "<", ">", "contains"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Expression =
  | { kind: "and" | "or"; all: Expression[] }
  | { kind: "not"; of: Expression }
  | { kind: "compare"; left: Operand; by: Comparison; right: Operand }
  /** True unless it is empty, "false", "no" or "0". */
  | { kind: "is"; of: Operand };

/** As it was written, and what it means. */
export type Condition = { text: string; means: Expression };

export type Scope = {
  vars: Readonly<Record<string, string>>;
  /** Undefined for a step that has not ended. */
  step: (id: string) => { status: string; output: string } | undefined;
};

export function holds(expression: Expression, scope: Scope): boolean {
  switch (expression.kind) {
    case "and":
      return expression.all.every((part) => holds(part, scope));
    case "or":
      return expression.all.some((part) => holds(part, scope));
    case "not":
      return !holds(expression.of, scope);
    case "is":
      return !["", "false", "no", "0"].includes(valueOf(expression.of, scope).trim().toLowerCase());
    case "compare":
      return compare(expression, scope);
  }
}

function compare(
  { left, by, right }: Extract<Expression, { kind: "compare" }>,
  scope: Scope,
): boolean {
  const [a, b] = [valueOf(left, scope).trim(), valueOf(right, scope).trim()];
  const order = orderOf(a, b);
  switch (by) {
    case "==":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
    case "contains":
      return a.includes(b);
  }
}

/** Numbers where both are, texts otherwise. */
function orderOf(a: string, b: string): number {
  const [x, y] = [Number(a), Number(b)];
  if (a !== "" && b !== "" && Number.isFinite(x) && Number.isFinite(y)) return x - y;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function valueOf(operand: Operand, scope: Scope): string {
  switch (operand.kind) {
    case "text":
      return operand.value;
    case "var":
      return scope.vars[operand.name] ?? "";
    case "step":
      return scope.step(operand.step)?.[operand.field] ?? "";
  }
}

/** Every operand, in the order they are written. */
export function operandsOf(expression: Expression): Operand[] {
  switch (expression.kind) {
    case "and":
    case "or":
      return expression.all.flatMap(operandsOf);
    case "not":
      return operandsOf(expression.of);
    case "is":
      return [expression.of];
    case "compare":
      return [expression.left, expression.right];
  }
}

/** Steps whose failure the condition asks about: they need not have succeeded. */
export const asksStatusOf = (condition: Condition): string[] =>
  operandsOf(condition.means).flatMap((operand) =>
    operand.kind === "step" && operand.field === "status" ? [operand.step] : [],
  );
