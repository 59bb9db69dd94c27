// An object that is loaded at the first call of one of its methods, for what a short command rarely
// needs. Every method must be asynchronous: the compiler refuses an object with any other.

type Asynchronous<T> = { [Key in keyof T]: (...args: never[]) => Promise<unknown> };

/** `methods` names them all; its values do not matter. */
export function lazily<T extends Asynchronous<T>>(
  methods: Record<keyof T, unknown>,
  load: () => Promise<T>,
): T {
  let loading: Promise<T> | undefined;
  const calls = Object.keys(methods).map((name) => [
    name,
    async (...args: never[]): Promise<unknown> => {
      loading ??= load();
      return (await loading)[name as keyof T](...args);
    },
  ]);
  return Object.fromEntries(calls) as T;
}
