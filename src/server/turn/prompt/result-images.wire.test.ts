import type { ServerResponse } from "node:http";
import sharp from "sharp";
import { v7 as newId } from "uuid";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { ChatModel } from "@/server/model/model-step";
import { toModelImage } from "@/server/tools/artifacts/model-image";
import { toTextContent } from "@/test/chat-fixture";
import { testDatabase } from "@/test/database";
import { createScriptedModel, finishPart, toolCallParts } from "@/test/scripted-model";
import { sendEvents, startStubServer, type StubRequest } from "@/test/stub-server";
import { emptyToolDeps } from "@/test/tool-fixture";
import { createTurnFixture, type TurnFixture } from "@/test/turn-fixture";
import { createWireModel, type WireProvider } from "@/test/wire-model";
import { startWireRecorder, type WireRecorder } from "@/test/wire-recorder";
import { createArtifactDeps } from "@/server/app/artifact-deps";
import { sendMessage } from "@/server/chat/send-message";

const RED = sharp({ create: { width: 3_000, height: 30, channels: 3, background: "red" } });
/** Images by their names: `dot-<number>.png` has that many pixels in height. */
const readImage = (path: string): Promise<Uint8Array> => {
  const height = Number(/\d+/.exec(path)?.[0]);
  return path === "wide.png" ? RED.png().toBuffer() : draw(height);
};
const draw = (height: number): Promise<Uint8Array> =>
  sharp({ create: { width: 1, height, channels: 3, background: "red" } })
    .png()
    .toBuffer();
const toBase64 = async (image: Uint8Array): Promise<string> =>
  Buffer.from((await toModelImage(image)).bytes).toString("base64");

/** A chat whose workspace has such images. */
const createImageTurn = async (): Promise<TurnFixture> => {
  const toolDeps = {
    ...createArtifactDeps({ db: await testDatabase(), newId }),
    openWorkspace: (chat: { rootChatId: string }) => ({
      ...emptyToolDeps.openWorkspace(chat),
      read: readImage,
    }),
  };
  return createTurnFixture({ steps: [], toolDeps });
};

/** Each API by its own name for the parts that the tests look at. */
const PLACES: [name: string, provider: WireProvider, model: string | undefined, place: object][] = [
  [
    "OpenAI takes images in results",
    "openai",
    undefined,
    { type: "function_call_output", output: [{ type: "input_text" }, { type: "input_image" }] },
  ],
  [
    "Anthropic takes images in results",
    "anthropic",
    undefined,
    {
      role: "user",
      content: [{ type: "tool_result", content: [{ type: "text" }, { type: "image" }] }],
    },
  ],
  [
    "Gemini 3 takes images in results",
    "google",
    "gemini-3-pro-preview",
    { role: "user", parts: [{ functionResponse: { parts: [{ inlineData: {} }] } }] },
  ],
  [
    "Gemini 2.5 gets them in a user message",
    "google",
    undefined,
    { role: "user", parts: [{ text: /images of the results/ }, { inlineData: {} }] },
  ],
  [
    "a compatible server gets them in a user message",
    "openai-compatible",
    undefined,
    { role: "user", content: [{ type: "text" }, { type: "image_url" }] },
  ],
];

const toPattern = (value: unknown): unknown => {
  if (value instanceof RegExp) return expect.stringMatching(value);
  if (Array.isArray(value)) return value.map(toPattern);
  if (typeof value !== "object" || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([key, field]) => [key, toPattern(field)])),
  );
};

describe.each(PLACES)("%s", (_name, provider, modelName, place) => {
  let recorder: WireRecorder;
  beforeAll(async () => {
    recorder = await startWireRecorder();
  });
  afterAll(() => recorder.close());
  afterEach(() => recorder.reset());

  /** Runs a turn whose first step loads images, and whose second is at the provider. */
  const start = async (...paths: string[]): Promise<TurnFixture> => {
    recorder.mock.on({ predicate: () => true }, { content: "I see." });
    const turn = await createImageTurn();
    const calls = paths.map((path) =>
      toolCallParts(`call_${path.slice(0, 5)}`, "load_image", { path }),
    );
    await run(turn, createScriptedModel([[...calls.flat(), finishPart("tool-calls")]]));
    return turn;
  };
  const run = async (turn: TurnFixture, first?: ReturnType<typeof createScriptedModel>) => {
    const wire = createWireModel(provider, recorder.url, modelName);
    const scripted = first && { ...wire, client: first, provider: "demo" as const };
    const models = [scripted, wire].filter((model) => model !== undefined);
    await turn.run({ resolveModel: () => Promise.resolve(models.shift() ?? wire) });
  };
  const lastBody = () => recorder.bodies().at(-1) as Record<string, unknown[]>;
  const lastMessages = () => lastBody().input ?? lastBody().messages ?? lastBody().contents ?? [];

  it("with the newest results only, shrunk, and never in the history", async () => {
    const turn = await start("wide.png");
    expect(recorder.bodies()).toHaveLength(1);
    expect(lastMessages().at(-1)).toEqual(toPattern(place));
    const base64 = await toBase64(await RED.png().toBuffer());
    expect((await sharp(Buffer.from(base64, "base64")).metadata()).width).toBe(2_000);
    expect(JSON.stringify(lastBody()).split(base64)).toHaveLength(2);

    const kept = JSON.stringify([await turn.history(), turn.ops]);
    expect(kept).not.toContain(base64.slice(0, 100));
    await sendMessage(turn.ctx, {
      chatId: turn.chatId,
      content: toTextContent("And now?"),
      busyBehavior: "queue",
    });
    await run(turn);
    expect(recorder.bodies()).toHaveLength(2);
    expect(JSON.stringify(lastBody())).not.toContain(base64.slice(0, 100));
    expect(JSON.stringify(lastBody())).toMatch(/Artifacts: \[[\w-]+ [^\]]*wide\.png/);
  });

  it("at most five", async () => {
    await start(...Array.from({ length: 7 }, (_, index) => `${index + 1}.png`));
    const body = JSON.stringify(lastBody());
    const counts = await Promise.all(
      Array.from({ length: 7 }, async (_, index) => {
        return body.includes(await toBase64(await draw(index + 1)));
      }),
    );
    expect(counts).toEqual([true, true, true, true, true, false, false]);
  });
});

describe("a model that cannot see images", () => {
  const answer = (response: ServerResponse): void => {
    const chunk = { id: "1", object: "chat.completion.chunk", created: 1, model: "local" };
    sendEvents(response, [
      { ...chunk, choices: [{ index: 0, delta: { role: "assistant", content: "A dot." } }] },
      { ...chunk, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
      "[DONE]",
    ]);
    response.end();
  };
  const loadDots = async (turn: TurnFixture, model: ChatModel) => {
    const load = createScriptedModel([
      [...toolCallParts("call_dot", "load_image", { path: "dot-1.png" }), finishPart("tool-calls")],
    ]);
    const models = [{ ...model, client: load, provider: "demo" as const }, model];
    await turn.run({ resolveModel: () => Promise.resolve(models.shift() ?? model) });
  };

  it.each<[server: string, status: number, body: object]>([
    [
      "llama.cpp",
      500,
      {
        error: {
          code: 500,
          message:
            "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
          type: "server_error",
        },
      },
    ],
    [
      "vLLM",
      400,
      { object: "error", message: "/models/qwen3 is not a multimodal model", code: 400 },
    ],
    [
      "DeepSeek",
      400,
      {
        error: {
          message:
            "Failed to deserialize the JSON body into the target type: messages[4]: unknown variant `image_url`, expected `text` at line 1 column 9",
          type: "invalid_request_error",
        },
      },
    ],
    [
      "OpenRouter",
      404,
      { error: { message: "No endpoints found that support image input", code: 404 } },
    ],
    [
      "a server that takes texts only",
      422,
      { error: { message: "messages.4.content: Input should be a valid string" } },
    ],
  ])("learns it when %s refuses one, and gets no more", async (_server, status, body) => {
    const isShown = ({ body: sent }: StubRequest) => JSON.stringify(sent).includes("image_url");
    const server = await startStubServer((response, request) => {
      if (!isShown(request)) return answer(response);
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    try {
      const turn = await createImageTurn();
      const model = createWireModel("openai-compatible", server.url);
      await loadDots(turn, model);
      expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
      expect(turn.waits).toEqual([]);
      expect(server.requests.map(isShown)).toEqual([true, false]);
      expect(JSON.stringify(server.requests[1]?.body)).toMatch(/dot-1.*you cannot see images/);

      await sendMessage(turn.ctx, {
        chatId: turn.chatId,
        content: toTextContent("Again."),
        busyBehavior: "queue",
      });
      await loadDots(turn, model);
      expect(await turn.chat()).toMatchObject({ status: "waiting", lastError: null });
      expect(server.requests.map(isShown)).toEqual([true, false, false]);
    } finally {
      await server.close();
    }
  });

  it("is not one that cannot read a single image: the failure is shown", async () => {
    const message = "The image could not be processed: it is damaged.";
    const server = await startStubServer((response) => {
      response
        .writeHead(400, { "content-type": "application/json" })
        .end(JSON.stringify({ error: { message } }));
    });
    try {
      const turn = await createImageTurn();
      await loadDots(turn, createWireModel("openai-compatible", server.url));
      expect(await turn.chat()).toMatchObject({
        status: "error",
        lastError: { kind: "config", detail: message },
      });
      expect(server.requests).toHaveLength(1);
    } finally {
      await server.close();
    }
  });
});
