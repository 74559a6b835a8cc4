import { type ChatCompletionRequest, LLMock } from "@copilotkit/aimock";

type Call = { name: string; args: object };

/** Starts an OpenAI-compatible provider that makes the calls it was given, one in each step, and then says that it is done. */
export const startMockProvider = async () => {
  const mock = new LLMock({ port: 0, host: "127.0.0.1" });
  let calls: readonly Call[] = [];
  mock.on({ predicate: () => true }, (request) => {
    const step = request.messages.filter(({ role }) => role === "tool").length;
    const call = offersTools(request) ? calls[step] : undefined;
    if (!call) return { content: "Done." };
    const { name, args } = call;
    return { toolCalls: [{ id: `call_${step}`, name, arguments: JSON.stringify(args) }] };
  });
  await mock.start();
  return {
    url: `${mock.url}/v1`,
    /** Sets the calls of the next turns, and forgets the requests before. */
    makeCalls: (next: readonly Call[]): void => {
      calls = next;
      mock.clearRequests();
    },
    /** @returns the requests of the chat; those for a title offer no tools. */
    listRequests: (): ChatCompletionRequest[] =>
      mock
        .getRequests()
        .map(({ body }) => body as unknown as ChatCompletionRequest)
        .filter(offersTools),
    close: () => mock.stop(),
  };
};

const offersTools = ({ tools = [] }: ChatCompletionRequest): boolean => tools.length > 0;
