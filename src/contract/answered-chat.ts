import * as z from "zod";

/** Described here, as the path of the request has a field of the same name. */
export const AnsweredChatId = z
  .uuid()
  .describe(
    "The agent of the chat whose call it is; without it, the call is of the chat itself. Of several chats, either all are answered or none.",
  )
  .optional();
