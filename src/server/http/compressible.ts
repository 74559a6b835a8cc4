import type { ServerResponse } from "node:http";

const TRPC = "/api/trpc/";
const JSON_TYPE = "application/json";

/**
 * Lets Next compress the JSON of tRPC, which pages read. Next sets each header of a route handler as a list, and its
 * compression finds no content type in a list (https://github.com/vercel/next.js/issues/98007). Other answers of route
 * handlers stay as they are: event streams, ranges of files, and REST, whose many small answers it would slow down.
 */
export const makeCompressible = (path: string, response: ServerResponse): void => {
  if (!path.startsWith(TRPC)) return;
  const setHeader = response.setHeader.bind(response);
  response.setHeader = (name, value) =>
    setHeader(name, Array.isArray(value) && value[0] === JSON_TYPE ? JSON_TYPE : value);
};
