import * as z from "zod";

/** Whether callers may declare tools of their own for chats. */
export const CallerToolsConfig = z
  .strictObject({ allowed: z.boolean() })
  .meta({ id: "CallerToolsConfig" });
export type CallerToolsConfig = z.infer<typeof CallerToolsConfig>;
