import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import { deleteStoredChat } from "./delete-stored-chat";
import { readIgnoredNames, replaceDraft, restoreDraft } from "./use-draft";
import { localStore } from "./local-store";

const readText = (chatId: string) => localStore.get(`parley.draft.${chatId}`);

describe("the names that a draft ignores", () => {
  it("stay with the text, and go with it", () => {
    const chatId = newId();
    expect(readIgnoredNames(chatId)).toEqual([]);
    replaceDraft(chatId, { text: "Ask @review", ignoredNames: ["review"] });
    expect(readIgnoredNames(chatId)).toEqual(["review"]);
    expect(readIgnoredNames(newId())).toEqual([]);
    deleteStoredChat(chatId);
    expect(readText(chatId)).toBeNull();
    expect(readIgnoredNames(chatId)).toEqual([]);
  });

  it("are restored with a text that could not be sent, unless there is another one", () => {
    const chatId = newId();
    restoreDraft(chatId, { text: "Ask @review", ignoredNames: ["review"] });
    expect(readText(chatId)).toBe("Ask @review");
    expect(readIgnoredNames(chatId)).toEqual(["review"]);
    replaceDraft(chatId, { text: "Ask @test" });
    restoreDraft(chatId, { text: "Ask @review", ignoredNames: ["review"] });
    expect(readText(chatId)).toBe("Ask @test");
    expect(readIgnoredNames(chatId)).toEqual([]);
  });
});
