import { ModelCallError } from "@/server/model/classify-failure";

const MEGABYTE = 1024 * 1024;

/** Of the text of an error, in megabytes; some servers repeat the request in it. What follows is left out. */
const MAX_ERROR_MB = 1;
/** Of one event of an answer, in megabytes; the last one of some providers repeats the whole answer. */
const MAX_EVENT_MB = 32;

/** The end of an event is looked for only after this many megabytes, as the search would cost time in each chunk. */
const UNSEARCHED_MB = 1;
/** An event ends with an empty line. One that the network has cut is missed, and the next one counts. */
const EVENT_ENDS = ["\n\n", "\r\n\r\n", "\r\r"];

/** Creates the limit of one body, which bounds what the provider's client holds of it in memory. */
export const createBodyLimit = ({ ok }: { ok: boolean }) => {
  let held = 0;
  return {
    /**
     * @returns whether the bytes may be passed on; otherwise the body ends before them.
     * @throws {ModelCallError} when an event is too large; another try would be as large.
     */
    allows: (bytes: Buffer): boolean => {
      held += bytes.byteLength;
      if (!ok) return held <= MAX_ERROR_MB * MEGABYTE;
      if (held <= UNSEARCHED_MB * MEGABYTE) return true;
      const end = Math.max(...EVENT_ENDS.map((text) => bytes.lastIndexOf(text)));
      if (end !== -1) held = bytes.byteLength - end;
      if (held <= MAX_EVENT_MB * MEGABYTE) return true;
      throw new ModelCallError(
        "generic",
        `The provider is sending more than ${MAX_EVENT_MB} MB in one event: the answer was ended there.`,
      );
    },
  };
};
