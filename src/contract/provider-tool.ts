import * as z from "zod";
import { isUnique } from "./declared-name";
import { PROVIDER_TOOLS } from "./providers";

export const ProviderToolName = z.enum(
  Object.keys(PROVIDER_TOOLS) as (keyof typeof PROVIDER_TOOLS)[],
);
export type ProviderToolName = z.infer<typeof ProviderToolName>;

/** Names of tools that the provider of a model runs itself. */
export const ProviderToolNames = z
  .array(ProviderToolName)
  .refine(isUnique, "must not name a tool twice");
