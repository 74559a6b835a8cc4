/** What a model can do besides reading and writing text, in lists for people. */
export const ABILITIES = {
  tools: "calls tools",
  images: "reads images",
  pdfs: "reads PDFs",
  reasoning: "reasons",
};

/** Tools that some providers run themselves, for people. */
export const PROVIDER_TOOLS = {
  web_search: "Web search",
  code_execution: "Code execution",
  file_search: "File search",
};

/** A variable of the environment, with a sentence for docs/settings.md. */
type Variable = { name: string; about: string };

/** What both sides know of a provider. How it is called is in src/server/model/catalog/providers. */
type ProviderFacts = {
  /** In lists. */
  label: string;
  /** As the subject of a sentence. */
  title: string;
  /** The id of one of its models. */
  exampleModel: string;
  /** Without what it cannot be called. What needs an address has none of its own, and often needs no key. */
  needs: "nothing" | "key" | "address";
  /** Null for a provider without key and address. */
  variables: { key: Variable; address: Variable } | null;
  /** Tools that its models can have, which it runs itself. */
  tools?: readonly (keyof typeof PROVIDER_TOOLS)[];
};

/** The providers of models, in the order of docs/settings.md. */
export const PROVIDERS = {
  demo: {
    label: "Demo",
    title: "The demo model",
    exampleModel: "demo",
    needs: "nothing",
    variables: null,
  },
  openai: {
    label: "OpenAI",
    title: "OpenAI",
    exampleModel: "gpt-5-mini",
    needs: "key",
    tools: ["web_search", "code_execution", "file_search"],
    variables: {
      key: { name: "OPENAI_API_KEY", about: "Key for OpenAI." },
      address: {
        name: "OPENAI_BASE_URL",
        about: "Address of OpenAI's API, if it is not the public one.",
      },
    },
  },
  anthropic: {
    label: "Anthropic",
    title: "Anthropic",
    exampleModel: "claude-sonnet-4-5",
    needs: "key",
    tools: ["web_search", "code_execution"],
    variables: {
      key: { name: "ANTHROPIC_API_KEY", about: "Key for Anthropic." },
      address: {
        name: "ANTHROPIC_BASE_URL",
        about: "Address of Anthropic's API, if it is not the public one. It ends in `/v1`.",
      },
    },
  },
  google: {
    label: "Google",
    title: "Google",
    exampleModel: "gemini-2.5-flash",
    needs: "key",
    tools: ["web_search", "code_execution", "file_search"],
    variables: {
      key: { name: "GOOGLE_GENERATIVE_AI_API_KEY", about: "Key for Google." },
      address: {
        name: "GOOGLE_BASE_URL",
        about: "Address of Google's API, if it is not the public one.",
      },
    },
  },
  "openai-compatible": {
    label: "OpenAI-compatible",
    title: "The OpenAI-compatible server",
    exampleModel: "llama3.2",
    needs: "address",
    variables: {
      key: {
        name: "OPENAI_COMPATIBLE_API_KEY",
        about: "Key for the server of `OPENAI_COMPATIBLE_BASE_URL`, if it needs one.",
      },
      address: {
        name: "OPENAI_COMPATIBLE_BASE_URL",
        about:
          "Address of a server with OpenAI's API, such as `http://localhost:11434/v1` of Ollama.",
      },
    },
  },
} satisfies Record<string, ProviderFacts>;

/** @returns the tools that models of a provider can have, which it runs itself. */
export const listProviderTools = (
  provider: keyof typeof PROVIDERS,
): readonly (keyof typeof PROVIDER_TOOLS)[] => {
  const { tools = [] }: ProviderFacts = PROVIDERS[provider];
  return tools;
};

/** @returns the variable without which the environment cannot call a provider. */
export const findNeededVariable = (provider: keyof typeof PROVIDERS): string | undefined => {
  const { needs, variables }: ProviderFacts = PROVIDERS[provider];
  return (needs === "address" ? variables?.address : variables?.key)?.name;
};
