// Every sentence about plugins: to the operator and to the agent of a prompt.
export const broken = (name: string): string => `plugin ${name} cannot be used`;

export const failed = (name: string, note: string): { title: string; body: string } => ({
  title: `plugin ${name} failed`,
  body: `${note}\n\n\`pawl plugin log ${name}\` shows its runs. Until it succeeds, further failures are not reported.`,
});

export const unheard = (on: string, by: string): { subject: string; body: string } => ({
  subject: `TRIGGER: ${on}`,
  body: `${by} sent this trigger, but no plugin of this project waits for it. \`pawl plugin list\` shows the plugins.`,
});

export const task = (name: string, text: string): string =>
  [
    text.trim(),
    "",
    "## Your result",
    "",
    "Write one or two sentences about what you found and did (text or JSON) to the file that `$PAWL_RESULT_FILE` names, then write `PHASE:done`. Where the work changes files, commit them on your branch first: they land through the merge queue.",
    "",
    `This is plugin \`${name}\` of this project.`,
  ].join("\n");
