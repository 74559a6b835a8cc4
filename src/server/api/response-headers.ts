/** Headers of every response that is not a stream: they hold people's data, as what they say they are. */
export const PRIVATE_HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};
