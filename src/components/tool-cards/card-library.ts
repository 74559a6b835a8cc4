/**
 * A part of the schema library, which cards and forms need. Exported so that the bundler keeps the library in this
 * chunk.
 *
 * @public
 */
export { JsonValue } from "@/contract/json";

/** Imported from here, so that the bundler does not repeat the modules of this chunk. */
export const importToolCalls = () => import("./tool-calls");
