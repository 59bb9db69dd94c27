// The program of `[merge_queue] resolve`: what it is called, and whether it resolved a file. A line of
// seven "=" is a heading in some texts: it is a mark where neither side has such a line.

/** The name that people know it by: the file without its folders. */
export const resolverName = ([program = ""]: string[]): string =>
  program.slice(program.lastIndexOf("/") + 1);

const MARK = /^(?:<{7}|\|{7}|>{7})(?: |\r?$)/mu;
const MIDDLE = /^={7}\r?$/mu;

export function hasMarks(text: string, sides: string[]): boolean {
  const isMiddle = MIDDLE.test(text) && !sides.some((side) => MIDDLE.test(side));
  return MARK.test(text) || isMiddle;
}
