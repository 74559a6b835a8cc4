import * as z from "zod";
import { Text } from "./content";
import { MAX_STARTING_TEXT_LENGTH } from "./limits";

/** A text that a person begins chats with. */
export const StartingText = z
  .object({ id: z.uuid(), text: z.string(), created_at: z.iso.datetime() })
  .meta({ id: "StartingText" });
export type StartingText = z.infer<typeof StartingText>;

export const StartingTextList = z
  .object({ data: z.array(StartingText) })
  .meta({ id: "StartingTextList" });

export const CreateStartingTextInput = z.strictObject({
  text: Text.trim().min(1).max(MAX_STARTING_TEXT_LENGTH),
});
export type CreateStartingTextInput = z.infer<typeof CreateStartingTextInput>;
