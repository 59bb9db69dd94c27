// What Pawl says on a forge when it asks there, and when it is answered there.
export const questionOnForge = (about: {
  reason: string;
  choices: string[];
  operators: string[];
  ref: string;
  pr?: number | undefined;
}): string =>
  [
    `Pawl needs a person: ${about.reason}`,
    ...(about.pr === undefined ? [] : ["", `The work so far is PR #${about.pr}.`]),
    ...(about.choices.length === 0
      ? []
      : ["", ...about.choices.map((choice, index) => `${index + 1}. ${choice}`)]),
    "",
    `${names(about.operators)}: answer with a comment here or on the PR, or with \`pawl escalation answer ${about.ref} "…"\`. The work is kept.`,
  ].join("\n");

export const answerTaken = (by: string): string =>
  `Thank you, @${by}: your answer was passed on, and the work continues.`;

export const answerMisfit = (by: string, choices: string[]): string =>
  [
    `@${by}: that is not one of the choices. Answer with one of these, or its number:`,
    "",
    ...choices.map((choice, index) => `${index + 1}. ${choice}`),
  ].join("\n");

const names = (logins: string[]): string => logins.map((login) => `@${login}`).join(", ");
