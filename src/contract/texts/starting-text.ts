import type * as z from "zod";
import type {
  CreateStartingTextInput,
  StartingText,
  StartingTextList,
} from "@/contract/starting-text";
import type { FieldTexts, SchemaTexts } from "./schema-texts";

export const STARTING_TEXT_TEXTS = {
  StartingTextList: {
    data: ["The texts, oldest first."],
  } satisfies FieldTexts<z.infer<typeof StartingTextList>>,
  StartingText: {
    id: ["The id of the text."],
    text: ["What the composer is filled with.", "Translate to Portuguese:"],
    created_at: ["When it was kept."],
  } satisfies FieldTexts<StartingText>,
  "startingTexts.create": {
    text: ["What the composer is filled with.", "Translate to Portuguese:"],
  } satisfies FieldTexts<CreateStartingTextInput>,
  "startingTexts.delete": {
    text_id: ["The id of the text.", "0198c0de-0000-7000-8000-000000000007"],
  },
} satisfies SchemaTexts;
