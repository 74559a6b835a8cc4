import * as z from "zod";

/** Query strings send text, tRPC procedures send booleans and numbers; both are accepted. */
export const QueryBoolean = z.union([
  z.boolean(),
  z.enum(["true", "false"]).transform((value) => value === "true"),
]);
