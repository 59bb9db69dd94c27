// Listens to the FIFO that a wrapper holds open for as long as it lives. Opened without blocking
// and read as a socket: a file stream would hold one of libuv's four threads for each session.
import { closeSync, constants, fstatSync, openSync } from "node:fs";
import { Socket } from "node:net";
import { hasCode, isAbsent } from "../../lib/error-code.ts";

/** Undefined where there is no FIFO to listen to. `onClosed` is called once. */
export function listenAlive(path: string, onClosed: () => void): { close(): void } | undefined {
  const fd = openFifo(path);
  if (fd === undefined) return undefined;
  let closed = false;
  const once = (): void => {
    if (closed) return;
    closed = true;
    socket.destroy();
    onClosed();
  };
  const socket = new Socket({ fd, readable: true, writable: false });
  socket.on("end", once).on("error", once).on("close", once).resume();
  return {
    close: () => {
      closed = true;
      socket.destroy();
    },
  };
}

function openFifo(path: string): number | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (isAbsent(error) || hasCode(error, ["ELOOP", "ENXIO", "EACCES"])) {
      return undefined;
    }
    throw error;
  }
  if (fstatSync(fd).isFIFO()) return fd;
  closeSync(fd);
  return undefined;
}
