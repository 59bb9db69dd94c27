// What Gemini CLI may do without a question, in the form of its policy engine.
export type Rules = { allow: readonly string[]; deny: readonly string[] };

/** Above the rules that it has by itself, and below those of an administrator. */
const ALLOW = 500;
const DENY = 600;

export const policyFor = ({ allow, deny }: Rules): string =>
  [...rule(allow, "allow", ALLOW), ...rule(deny, "deny", DENY)].join("\n");

function rule(tools: readonly string[], decision: "allow" | "deny", priority: number): string[] {
  if (tools.length === 0) return [];
  return [
    "[[rule]]",
    `toolName = ${JSON.stringify(tools)}`,
    `decision = "${decision}"`,
    `priority = ${priority}`,
    // Without this, a command that writes its output to a file is asked about all the same.
    ...(decision === "allow" ? ["allowRedirection = true"] : []),
    "",
  ];
}
