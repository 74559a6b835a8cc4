import { readFileSync } from "node:fs";

/** @returns the numbers of the processors that this process may use; none where that is not known. */
export const listProcessors = (): number[] => {
  const mask = /^Cpus_allowed:\s*([\da-f,]+)$/m.exec(readStatus())?.[1]?.replaceAll(",", "") ?? "";
  const bits = Array.from(BigInt(`0x0${mask}`).toString(2)).toReversed();
  return bits.flatMap((bit, number) => (bit === "1" ? [number] : []));
};

const readStatus = (): string => {
  try {
    return readFileSync("/proc/self/status", "latin1");
  } catch {
    return "";
  }
};

const BITS = 8;
/** The kernel takes whole words of 64 bits. */
const WORD_BITS = 64;

/**
 * Chooses the processors of commands: the same for all commands of this process, and others for the next process, so
 * that several of a machine do not share some and leave others.
 *
 * @returns them as `sched_setaffinity` takes them, in hexadecimal; "" for all.
 */
export const chooseProcessors = (
  count: number,
  { allowed = listProcessors(), start = process.pid }: { allowed?: number[]; start?: number } = {},
): string => {
  if (count >= allowed.length) return "";
  const chosen = Array.from(
    { length: count },
    (_, index) => allowed[(start + index) % allowed.length] ?? 0,
  );
  const set = Buffer.alloc((Math.ceil((Math.max(...chosen) + 1) / WORD_BITS) * WORD_BITS) / BITS);
  for (const number of chosen) {
    const byte = Math.floor(number / BITS);
    set.writeUInt8(set.readUInt8(byte) | (1 << (number % BITS)), byte);
  }
  return set.toString("hex");
};
