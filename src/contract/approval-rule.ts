import * as z from "zod";
import { JsonValue } from "./json";

/** "Always", for a chat or for all of a person: calls that the rule covers run without an approval. */
export const ApprovalRule = z
  .object({
    id: z.uuid(),
    /** The root chat; the rule covers its child chats too. Null for all chats of the person. */
    chat_id: z.uuid().nullable(),
    chat_title: z.string().nullable(),
    tool_name: z.string(),
    /** What the calls have in common, such as one exact command; null for every call of the tool. */
    scope: JsonValue,
    /** What a text of the scope must match; it stands there in place of the text. Null if all must be equal. */
    pattern: z.string().nullable(),
    /** The id of the user who approved, or `api_key:` and the id of the key. */
    created_by: z.string(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "ApprovalRule" });
export type ApprovalRule = z.infer<typeof ApprovalRule>;

export const ApprovalRulePage = z.object({
  /** Newest first. */
  data: z.array(ApprovalRule),
  next_cursor: z.string().optional(),
});
export type ApprovalRulePage = z.infer<typeof ApprovalRulePage>;
