import { createTRPCClient, getUntypedClient, httpLink } from "@trpc/client";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import type { AppRouter } from "@/server/api/router";
import { createProcedureOptions, createProcedures } from "./procedures";

const asked: string[] = [];

const client = createTRPCClient<AppRouter>({
  links: [
    httpLink({
      url: "http://parley.test/trpc",
      fetch: async (url, init) => {
        const request = new Request(url, init as RequestInit);
        const body = await request.text();
        asked.push(`${request.method} ${decodeURIComponent(request.url)} ${body}`);
        return Response.json({ result: { data: "answer" } });
      },
    }),
  ],
});
const caller = getUntypedClient(client);
const ours = createProcedureOptions(caller);
const theirs = createTRPCOptionsProxy<AppRouter>({ client, queryClient: new QueryClient() });
const chatId = "01920f0c-5a1e-7000-8000-000000000001";

describe("the options of procedures", () => {
  it("have the keys that tRPC gives them", () => {
    expect(ours.models.list.pathKey()).toEqual(theirs.models.list.pathKey());
    expect(ours.models.list.queryKey({ all: true })).toEqual(
      theirs.models.list.queryKey({ all: true }),
    );
    const query = ours.models.list.queryOptions({ all: true }, { enabled: false });
    expect(query).toMatchObject({
      queryKey: ours.models.list.queryKey({ all: true }),
      enabled: false,
    });
    expect(ours.chats.markRead.mutationOptions().mutationKey).toEqual(
      theirs.chats.markRead.mutationOptions().mutationKey,
    );
  });

  it("call the procedures", async () => {
    asked.length = 0;
    const cache = new QueryClient();
    await expect(cache.fetchQuery(ours.chats.get.queryOptions({ chat_id: chatId }))).resolves.toBe(
      "answer",
    );
    const options = ours.chats.markRead.mutationOptions();
    await expect(
      cache.getMutationCache().build(cache, options).execute({ chat_id: chatId, version: 3 }),
    ).resolves.toBe("answer");
    expect(asked).toEqual([
      `GET http://parley.test/trpc/chats.get?input={"chat_id":"${chatId}"} `,
      `POST http://parley.test/trpc/chats.markRead {"chat_id":"${chatId}","version":3}`,
    ]);
  });
});

it("calls the procedures by themselves", async () => {
  asked.length = 0;
  const procedures = createProcedures(caller);
  await expect(procedures.chats.get.query({ chat_id: chatId })).resolves.toBe("answer");
  await expect(procedures.chats.markRead.mutate({ chat_id: chatId, version: 3 })).resolves.toBe(
    "answer",
  );
  const stopped = AbortSignal.abort();
  await expect(
    procedures.chats.get.query({ chat_id: chatId }, { signal: stopped }),
  ).rejects.toThrow();
  expect(asked).toEqual([
    `GET http://parley.test/trpc/chats.get?input={"chat_id":"${chatId}"} `,
    `POST http://parley.test/trpc/chats.markRead {"chat_id":"${chatId}","version":3}`,
  ]);
});
