// A look at something that may not be there: absence is an answer, everything else a failure.
import { isAbsent } from "./error-code.ts";

export async function ifThere<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}
