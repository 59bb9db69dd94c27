// Reads again when something changed: one reading at a time, with a pause after each, so that a busy
// factory is not asked more often than a person can look.
export function createReader(read: () => Promise<void>, pauseMs: number): () => void {
  let isReading = false;
  let isStale = false;
  const readUntilFresh = async (): Promise<void> => {
    isReading = true;
    try {
      while (isStale) {
        isStale = false;
        await read();
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    } finally {
      isReading = false;
    }
  };
  return () => {
    isStale = true;
    if (!isReading) readUntilFresh().catch((error: unknown) => console.error(error));
  };
}
