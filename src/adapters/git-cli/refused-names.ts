// Names that git takes into no index, because some file system takes them for `.git` or for a file
// of git's own: `git update-index` leaves such a path out and exits with 0. A few names more than
// git refuses are found here, which costs nothing: they are saved in another way. Pure.

/** `path` is a byte string. */
export function refusedByGit(path: string, isLink: boolean): boolean {
  const names = path.split(/[/\\]/).map(plain);
  if (names.some((name) => name === ".git" || /^git~\d*$/.test(name))) return true;
  return isLink && names.some((name) => /^(?:\.git|git[a-z]*~|gi[0-9a-f]{4}~)/.test(name));
}

/** As the most careless file system reads it: HFS ignores some characters, NTFS what follows. */
const plain = (name: string): string =>
  Buffer.from(name, "latin1")
    .toString("utf8")
    .replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/g, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
