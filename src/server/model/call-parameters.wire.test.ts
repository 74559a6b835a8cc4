import { isDeepStrictEqual } from "node:util";
import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Effort, EFFORT_NAMES } from "@/contract/efforts";
import { startStubServer } from "@/test/stub-server";
import { createWireModel, type WireProvider } from "@/test/wire-model";
import { callModel } from "./call-model";
import { findEfforts } from "./call-parameters";
import { KNOWN_MODELS } from "./catalog/known-models";
import type { CallParameters, ChatModel } from "./model-step";

type Body = Record<string, unknown>;

/** A server that refuses a request with a sentence, or has no key for it, which ends the call. */
const startServer = async (refuse: (body: Body) => string | undefined = () => undefined) => {
  const server = await startStubServer((response, { body }) => {
    const message = refuse(body as Body);
    response
      .writeHead(message === undefined ? 401 : 400, { "content-type": "application/json" })
      .end(JSON.stringify({ error: { message: message ?? "no key" } }));
  });
  onTestFinished(server.close);
  return { url: server.url, bodies: () => server.requests.map(({ body }) => body as Body) };
};

const QUESTION: LanguageModelV4Prompt = [{ role: "user", content: [{ type: "text", text: "Hi" }] }];

const call = (model: ChatModel, parameters: CallParameters, prompt = QUESTION) =>
  callModel(
    model,
    { prompt, tools: [], ...parameters },
    {
      sink: { start: () => undefined, append: () => undefined, end: () => undefined },
      signal: new AbortController().signal,
      now: () => new Date(),
    },
  );

const send = async (
  provider: WireProvider,
  model: string,
  parameters: CallParameters,
  prompt = QUESTION,
): Promise<Body> => {
  const { url, bodies } = await startServer();
  await call(createWireModel(provider, url, model), parameters, prompt);
  const [body, ...others] = bodies();
  expect(others).toEqual([]);
  return body ?? {};
};

/** What of a request is about its parameters. */
const KEYS = [
  "reasoning",
  "reasoning_effort",
  "thinking",
  "output_config",
  "temperature",
  "max_tokens",
  "max_output_tokens",
];
const pick = (body: Body): Body => {
  const google = (body.generationConfig ?? {}) as Body;
  const own = Object.entries(body).filter(([key]) => KEYS.includes(key));
  return { ...Object.fromEntries(own), ...google };
};

const EFFORTS_ON_THE_WIRE: [WireProvider, model: string, Effort, Body][] = [
  ["openai", "gpt-5", "high", { reasoning: { effort: "high", summary: "detailed" } }],
  ["openai", "gpt-5", "none", { reasoning: { effort: "minimal", summary: "detailed" } }],
  ["openai", "gpt-6.2-sol", "max", { reasoning: { effort: "max", summary: "detailed" } }],
  ["openai", "my-deployment", "low", { reasoning: { effort: "low", summary: "detailed" } }],
  ["openai", "gpt-4o", "high", {}],
  [
    "anthropic",
    "claude-opus-5",
    "xhigh",
    {
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "xhigh" },
      max_tokens: 128_000,
    },
  ],
  ["anthropic", "claude-opus-5", "none", { thinking: { type: "disabled" }, max_tokens: 128_000 }],
  [
    "anthropic",
    "claude-sonnet-4-5",
    "high",
    { thinking: { type: "enabled", budget_tokens: 38_400 }, max_tokens: 64_000 },
  ],
  [
    "anthropic",
    "MiniMax-M2",
    "low",
    { thinking: { type: "enabled", budget_tokens: 3_200 }, max_tokens: 32_000 },
  ],
  [
    "google",
    "gemini-2.5-flash",
    "medium",
    { thinkingConfig: { thinkingBudget: 19_661, includeThoughts: true } },
  ],
  ["google", "gemini-2.5-flash", "none", { thinkingConfig: { thinkingBudget: 0 } }],
  [
    "google",
    "gemini-3.5-flash",
    "none",
    { thinkingConfig: { thinkingLevel: "minimal", includeThoughts: true } },
  ],
  ["openai-compatible", "local", "xhigh", { reasoning_effort: "xhigh" }],
];

describe("an effort", () => {
  it.each(EFFORTS_ON_THE_WIRE)("of %s/%s: %s", async (provider, model, reasoningEffort, sent) => {
    expect(pick(await send(provider, model, { reasoningEffort }))).toEqual(sent);
  });

  const known = Object.entries(KNOWN_MODELS).flatMap(([provider, models]) =>
    models.flatMap(({ id, efforts }) =>
      efforts && provider !== "demo" ? [[provider as WireProvider, id, efforts] as const] : [],
    ),
  );
  it.each(known)("that %s/%s has is another one than its others", async (provider, id, efforts) => {
    const bodies = [];
    for (const reasoningEffort of efforts) {
      bodies.push(JSON.stringify(await send(provider, id, { reasoningEffort })));
    }
    expect(new Set(bodies).size).toBe(efforts.length);
  });

  it.each(known)(
    "is sent to %s/%s only with the temperature that it takes",
    async (...[provider, id]) => {
      for (const reasoningEffort of EFFORT_NAMES) {
        const body = pick(await send(provider, id, { reasoningEffort, temperature: 0.3 }));
        const thinking = body.thinking as { type: string } | undefined;
        const isThinking = thinking !== undefined && thinking.type !== "disabled";
        if (isThinking || "reasoning" in body) expect(body).not.toHaveProperty("temperature");
      }
    },
  );
});

const OF_LIMIT = { maxOutputTokens: 2_000 };

describe("a turn of Anthropic's that did not begin with thinking", () => {
  const toTurn = (providerOptions?: {
    anthropic: { signature: string };
  }): LanguageModelV4Prompt => [
    ...QUESTION,
    {
      role: "assistant",
      content: [
        ...(providerOptions
          ? [{ type: "reasoning" as const, text: "Let me see.", providerOptions }]
          : []),
        { type: "tool-call", toolCallId: "c1", toolName: "t", input: {} },
      ],
    },
    {
      role: "tool",
      content: [
        {
          type: "tool-result",
          toolCallId: "c1",
          toolName: "t",
          output: { type: "text", value: "1" },
        },
      ],
    },
  ];

  it("goes on without, as its API would refuse it", async () => {
    const parameters = { reasoningEffort: "high" } as const;
    const model = "claude-sonnet-4-5";
    expect(await send("anthropic", model, parameters, toTurn())).not.toHaveProperty("thinking");
    const signed = toTurn({ anthropic: { signature: "s" } });
    expect(await send("anthropic", model, parameters, signed)).toHaveProperty("thinking");
    const next: LanguageModelV4Prompt = [
      ...toTurn(),
      { role: "assistant", content: [{ type: "text", text: "One." }] },
      ...QUESTION,
    ];
    expect(await send("anthropic", model, parameters, next)).toHaveProperty("thinking");
    // A model that decides itself takes it in every step.
    expect(await send("anthropic", "claude-opus-5", parameters, toTurn())).toHaveProperty(
      "thinking",
    );
  });

  it("has no budget where the limit leaves none", async () => {
    const parameters = { reasoningEffort: "high", ...OF_LIMIT } as const;
    expect(pick(await send("anthropic", "claude-sonnet-4-5", parameters))).toEqual({
      max_tokens: 2_000,
    });
  });
});

describe("the limit of an answer", () => {
  const NEEDED: [model: string, contextLimit: number | null, limit: number][] = [
    ["MiniMax-M2", null, 32_000],
    ["MiniMax-M2", 16_384, 4_096],
    ["claude-haiku-4-5", null, 64_000],
    ["claude-3-haiku-20240307", null, 4_096],
    ["claude-nova-7", null, 128_000],
  ];

  it.each(NEEDED)(
    "of %s on Anthropic's API, context %s: %d",
    async (model, contextLimit, limit) => {
      const { url, bodies } = await startServer();
      const wire = { ...createWireModel("anthropic", url, model), contextLimit };
      await call(wire, {});
      expect(bodies()).toMatchObject([{ max_tokens: limit }]);
    },
  );

  it.each([
    ["openai", "gpt-5"],
    ["google", "gemini-2.5-flash"],
    ["openai-compatible", "local"],
  ] as const)("is the provider's own for %s", async (provider, model) => {
    expect(pick(await send(provider, model, {}))).toEqual({});
  });

  it("is that of the settings, and no higher", async () => {
    const { url, bodies } = await startServer();
    const model = createWireModel("anthropic", url, "claude-sonnet-4-5");
    const set = { ...model, defaults: { maxOutputTokens: 10_000 } };
    await call(set, {});
    await call(set, { maxOutputTokens: 500 });
    await call(set, { maxOutputTokens: 50_000 });
    expect(bodies()).toMatchObject([
      { max_tokens: 10_000 },
      { max_tokens: 500 },
      { max_tokens: 10_000 },
    ]);
  });

  it("is no higher than what is known of the model", async () => {
    const body = await send("openai", "gpt-4o", { maxOutputTokens: 100_000 });
    expect(body).toMatchObject({ max_output_tokens: 16_384 });
  });
});

type Learned = [what: string, WireProvider, CallParameters, refusal: string, sent: Body[]];

const LEARNED: Learned[] = [
  [
    "a lower limit",
    "anthropic",
    {},
    "max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens for local",
    [{ max_tokens: 32_000 }, { max_tokens: 8_192 }],
  ],
  [
    "a range",
    "anthropic",
    {},
    "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
    [{ max_tokens: 32_000 }, { max_tokens: 8_192 }],
  ],
  [
    "a range without its end",
    "google",
    { maxOutputTokens: 100_000 },
    "a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive)",
    [{ maxOutputTokens: 100_000 }, { maxOutputTokens: 65_536 }],
  ],
  [
    "a limit that is not said",
    "anthropic",
    {},
    "max_tokens is too large",
    [{ max_tokens: 32_000 }, { max_tokens: 4_096 }],
  ],
  [
    "a context that has the answer in it",
    "anthropic",
    {},
    "This model's maximum context length is 16384 tokens. However, you requested 34,000 tokens (2000 in the messages, 32000 in the completion).",
    [{ max_tokens: 32_000 }, { max_tokens: 4_096 }],
  ],
  [
    "no effort",
    "openai-compatible",
    { reasoningEffort: "high", temperature: 0.5 },
    "Unknown parameter: 'reasoning_effort'.",
    [{ reasoning_effort: "high", temperature: 0.5 }, { temperature: 0.5 }],
  ],
  [
    "other efforts",
    "openai-compatible",
    { reasoningEffort: "xhigh" },
    "reasoning_effort: Input should be 'low', 'medium' or 'high'",
    [{ reasoning_effort: "xhigh" }, { reasoning_effort: "high" }],
  ],
  [
    "no thinking",
    "anthropic",
    { reasoningEffort: "low" },
    "thinking is not supported by this model",
    [
      { thinking: { type: "enabled", budget_tokens: 3_200 }, max_tokens: 32_000 },
      { max_tokens: 32_000 },
    ],
  ],
  [
    "no summary",
    "openai",
    { reasoningEffort: "low" },
    "Your organization must be verified to generate reasoning summaries.",
    [{ reasoning: { effort: "low", summary: "detailed" } }, { reasoning: { effort: "low" } }],
  ],
  [
    "no temperature",
    "openai-compatible",
    { reasoningEffort: "low", temperature: 0.5 },
    "Unsupported value: 'temperature' does not support 0.5 with this model.",
    [{ reasoning_effort: "low", temperature: 0.5 }, { reasoning_effort: "low" }],
  ],
];

/** Models of which nothing is known. */
const UNKNOWN: Record<WireProvider, string> = {
  openai: "o9",
  anthropic: "local",
  google: "gemini-9",
  "openai-compatible": "local",
};

describe("a server that refuses a parameter", () => {
  it.each(LEARNED)("%s is asked again, and so from then on", async (...learned) => {
    const [, provider, parameters, refusal, sent] = learned;
    const { url, bodies } = await startServer((body) =>
      isDeepStrictEqual(pick(body), sent[0]) ? refusal : undefined,
    );
    const model = createWireModel(provider, url, UNKNOWN[provider]);
    expect(await call(model, parameters)).toMatchObject({ failure: { kind: "auth" } });
    expect(bodies().map(pick)).toEqual(sent);
    await call(model, parameters);
    expect(bodies().map(pick)).toEqual([...sent, sent.at(-1)]);
  });

  it("is asked at most a few times, and says then what it refuses", async () => {
    const { url, bodies } = await startServer(() => "max_tokens is too large: what a pity");
    const model = createWireModel("anthropic", url, "local");
    expect(await call(model, { reasoningEffort: "high", temperature: 1 })).toMatchObject({
      failure: { kind: "config", detail: "max_tokens is too large: what a pity" },
    });
    expect(bodies().length).toBeLessThan(4);
  });

  it("is asked once for another reason", async () => {
    const { url, bodies } = await startServer(
      () => "messages.3: thinking blocks cannot be modified",
    );
    const model = createWireModel("anthropic", url, "claude-opus-5");
    await call(model, { reasoningEffort: "high" });
    expect(bodies()).toHaveLength(1);
    expect(findEfforts(model)).toContain("max");
  });
});

describe("the efforts of a model", () => {
  it("are those of its vendor, none without reasoning, and not known of others", () => {
    const find = (provider: WireProvider, model: string) =>
      findEfforts(createWireModel(provider, "http://127.0.0.1:9", model));
    expect(find("openai", "gpt-5")).toEqual(["minimal", "low", "medium", "high"]);
    expect(find("openai", "gpt-4o")).toEqual([]);
    expect(find("openai-compatible", "local")).toBeUndefined();
  });
});
