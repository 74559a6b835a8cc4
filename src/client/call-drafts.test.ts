import { v7 as newId } from "uuid";
import { describe, expect, it } from "vitest";
import { createCallDrafts } from "./call-drafts";
import { deleteStoredChat } from "./delete-stored-chat";
import { localStore } from "./local-store";

describe("the draft of a call", () => {
  it("is there after a reload, for that call of that chat only", () => {
    const chatId = newId();
    createCallDrafts(chatId).write("call-1", { step: 1 });
    expect(createCallDrafts(chatId).read("call-1")).toEqual({ step: 1 });
    expect(createCallDrafts(chatId).read("call-2")).toBeUndefined();
    expect(createCallDrafts(newId()).read("call-1")).toBeUndefined();
  });

  it("is replaced by that of the next call, and goes with the chat", () => {
    const chatId = newId();
    createCallDrafts(chatId).write("call-1", { step: 1 });
    createCallDrafts(chatId).write("call-2", { step: 0 });
    expect(createCallDrafts(chatId).read("call-1")).toBeUndefined();
    expect(createCallDrafts(chatId).read("call-2")).toEqual({ step: 0 });
    deleteStoredChat(chatId);
    expect(createCallDrafts(chatId).read("call-2")).toBeUndefined();
  });

  it.each([
    ["of another form", JSON.stringify([1])],
    ["cut off", '{"toolCallId":"call-1","dra'],
  ])("is ignored when it is %s", (_what, stored) => {
    const chatId = newId();
    localStore.set(`parley.questions.${chatId}`, stored);
    expect(createCallDrafts(chatId).read("call-1")).toBeUndefined();
  });
});
