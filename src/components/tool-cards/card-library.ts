/**
 * Of the library of schemas, which is large and which cards and drafts need; an export, so that the bundler keeps it
 * in this part.
 *
 * @public
 */
export { JsonValue } from "@/contract/json";

/** Imported from here, as the bundler then leaves out what this part has. */
export const importToolCalls = () => import("./tool-calls");
export const importDrafts = () => import("@/components/forms/draft");
