/**
 * Names the length of a body to the HTTP front. Next leaves out the header `content-length` of a route handler's
 * answer, as its body may have been decoded on the way.
 */
export const BODY_LENGTH_HEADER = "x-parley-body-length";

/** @returns the headers with the length of a body, which the HTTP front makes one. */
export const toLengthHeaders = (bytes: number) => ({
  "content-length": String(bytes),
  [BODY_LENGTH_HEADER]: String(bytes),
});
