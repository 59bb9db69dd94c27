// Published copies of the state, for people and scripts that read files. The journal is the truth;
// a copy is written by temporary file and rename, so that it is whole or the one before.
export type Publisher = {
  publish(path: string, content: string): Promise<void>;
};
