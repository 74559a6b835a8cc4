import type { Effort } from "@/contract/efforts";
import type { ModelAbility, ProviderName, ToolProtocol } from "@/contract/model";

/** What a vendor says of a model. What is not known is left out. */
export type KnownModel = {
  /** The vendor's id; `lookUpModel` takes it with the date of a release, too. */
  id: string;
  name: string;
  /** Tokens that the model can read. */
  context?: number;
  /** Tokens of the longest answer. */
  output?: number;
  abilities?: readonly ModelAbility[];
  /** How much it can be asked to think; only of a model that reasons. */
  efforts?: readonly Effort[];
  /** Native when undefined. */
  toolProtocol?: ToolProtocol;
  /**
   * List prices in dollars per million tokens: of text, without a discount, and of short prompts where long ones cost
   * more. `read` and `write` are those of the vendor's cache, for the shortest time.
   */
  dollars?: { input: number; output: number; read?: number; write?: number };
  /** The vendor's page about it, or the file of this program. */
  source: string;
  /** When the row was checked: against that page, or against lists that quote it. */
  date: string;
};

const DATE = "2026-11-27";
const DEMO = "src/server/model/demo/demo-model.ts";
const OPENAI = "https://developers.openai.com/api/docs/models";
const ANTHROPIC = "https://platform.claude.com/docs/en/about-claude/pricing";
const GOOGLE = "https://ai.google.dev/gemini-api/docs/pricing";

const FREE = { input: 0, output: 0 };
const ALL_ABILITIES: readonly ModelAbility[] = ["tools", "images", "pdfs", "reasoning"];
/** Those that always think. */
const ALWAYS_THINKING: readonly Effort[] = ["low", "medium", "high", "xhigh", "max"];
const GPT_5: readonly Effort[] = ["minimal", "low", "medium", "high"];
/** Those that need not think. */
const CLAUDE: readonly Effort[] = ["none", "low", "medium", "high", "xhigh", "max"];
/** Those that are given a budget. */
const CLAUDE_4: readonly Effort[] = ["none", "low", "medium", "high", "max"];
const GEMINI_3: readonly Effort[] = ["minimal", "low", "medium", "high"];
/** More than what is high is above their highest budget. */
const GEMINI_2_PRO: readonly Effort[] = ["low", "medium", "high"];
const FOUR: readonly Effort[] = ["none", "low", "medium", "high"];
const WITHOUT_REASONING: readonly ModelAbility[] = ["tools", "images", "pdfs"];

/** The only place for facts about models, in the order in which lists show them. A row of the settings may differ: what a person enters counts. */
export const KNOWN_MODELS: Readonly<Partial<Record<ProviderName, readonly KnownModel[]>>> = {
  demo: [
    {
      id: "demo",
      name: "Demo",
      context: 200_000,
      efforts: FOUR,
      dollars: FREE,
      source: DEMO,
      date: DATE,
    },
    {
      id: "xml",
      name: "Demo with XML",
      context: 200_000,
      efforts: FOUR,
      // The same model without tool calls.
      toolProtocol: "xml",
      dollars: FREE,
      source: DEMO,
      date: DATE,
    },
  ],
  openai: [
    {
      id: "gpt-6.2-astra",
      name: "GPT-6.2 Astra",
      context: 1_050_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: ALWAYS_THINKING,
      dollars: { input: 8, output: 40, read: 0.4, write: 10 },
      source: `${OPENAI}/gpt-6.2-astra`,
      date: DATE,
    },
    {
      id: "gpt-6.2-sol",
      name: "GPT-6.2 Sol",
      context: 1_050_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: ALWAYS_THINKING,
      dollars: { input: 2, output: 10, read: 0.1, write: 2.5 },
      source: `${OPENAI}/gpt-6.2-sol`,
      date: DATE,
    },
    {
      id: "gpt-5",
      name: "GPT-5",
      context: 400_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: GPT_5,
      dollars: { input: 1.25, output: 10, read: 0.125 },
      source: `${OPENAI}/gpt-5`,
      date: DATE,
    },
    {
      id: "gpt-5-mini",
      name: "GPT-5 mini",
      context: 400_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: GPT_5,
      dollars: { input: 0.25, output: 2, read: 0.025 },
      source: `${OPENAI}/gpt-5-mini`,
      date: DATE,
    },
    {
      id: "gpt-5-nano",
      name: "GPT-5 nano",
      context: 400_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: GPT_5,
      dollars: { input: 0.05, output: 0.4, read: 0.005 },
      source: `${OPENAI}/gpt-5-nano`,
      date: DATE,
    },
    {
      id: "gpt-4.1",
      name: "GPT-4.1",
      context: 1_047_576,
      output: 32_768,
      abilities: WITHOUT_REASONING,
      dollars: { input: 2, output: 8, read: 0.5 },
      source: `${OPENAI}/gpt-4.1`,
      date: DATE,
    },
    {
      id: "gpt-4.1-mini",
      name: "GPT-4.1 mini",
      context: 1_047_576,
      output: 32_768,
      abilities: WITHOUT_REASONING,
      dollars: { input: 0.4, output: 1.6, read: 0.1 },
      source: `${OPENAI}/gpt-4.1-mini`,
      date: DATE,
    },
    {
      id: "gpt-4o",
      name: "GPT-4o",
      context: 128_000,
      output: 16_384,
      abilities: WITHOUT_REASONING,
      dollars: { input: 2.5, output: 10, read: 1.25 },
      source: `${OPENAI}/gpt-4o`,
      date: DATE,
    },
    {
      id: "gpt-4o-mini",
      name: "GPT-4o mini",
      context: 128_000,
      output: 16_384,
      abilities: WITHOUT_REASONING,
      dollars: { input: 0.15, output: 0.6, read: 0.075 },
      source: `${OPENAI}/gpt-4o-mini`,
      date: DATE,
    },
  ],
  anthropic: [
    {
      id: "claude-fable-5-1",
      name: "Claude Fable 5.1",
      context: 1_000_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: ALWAYS_THINKING,
      dollars: { input: 10, output: 50, read: 0.25, write: 12.5 },
      source: ANTHROPIC,
      date: DATE,
    },
    {
      id: "claude-opus-5-5",
      name: "Claude Opus 5.5",
      context: 1_000_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: ALWAYS_THINKING,
      dollars: { input: 4, output: 20, read: 0.2, write: 5 },
      source: ANTHROPIC,
      date: DATE,
    },
    {
      id: "claude-opus-5",
      name: "Claude Opus 5",
      context: 1_000_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: CLAUDE,
      dollars: { input: 5, output: 25, read: 0.5, write: 6.25 },
      source: ANTHROPIC,
      date: DATE,
    },
    {
      id: "claude-opus-4-5",
      name: "Claude Opus 4.5",
      context: 200_000,
      output: 64_000,
      abilities: ALL_ABILITIES,
      efforts: CLAUDE_4,
      dollars: { input: 5, output: 25, read: 0.5, write: 6.25 },
      source: ANTHROPIC,
      date: DATE,
    },
    {
      id: "claude-sonnet-5-5",
      name: "Claude Sonnet 5.5",
      context: 1_000_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: ALWAYS_THINKING,
      dollars: { input: 2, output: 10, read: 0.1, write: 2.5 },
      source: ANTHROPIC,
      date: DATE,
    },
    {
      id: "claude-sonnet-5",
      name: "Claude Sonnet 5",
      context: 1_000_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: CLAUDE,
      dollars: { input: 2, output: 10, read: 0.2, write: 2.5 },
      source: ANTHROPIC,
      date: DATE,
    },
    {
      id: "claude-sonnet-4-5",
      name: "Claude Sonnet 4.5",
      context: 200_000,
      output: 64_000,
      abilities: ALL_ABILITIES,
      efforts: CLAUDE_4,
      dollars: { input: 3, output: 15, read: 0.3, write: 3.75 },
      source: ANTHROPIC,
      date: DATE,
    },
    {
      id: "claude-haiku-5-5",
      name: "Claude Haiku 5.5",
      context: 1_000_000,
      output: 128_000,
      abilities: ALL_ABILITIES,
      efforts: CLAUDE,
      dollars: { input: 0.1, output: 0.5, read: 0.01, write: 0.125 },
      source: ANTHROPIC,
      date: DATE,
    },
    {
      id: "claude-haiku-4-5",
      name: "Claude Haiku 4.5",
      context: 200_000,
      output: 64_000,
      abilities: ALL_ABILITIES,
      efforts: CLAUDE_4,
      dollars: { input: 1, output: 5, read: 0.1, write: 1.25 },
      source: ANTHROPIC,
      date: DATE,
    },
  ],
  google: [
    {
      id: "gemini-3.5-flash",
      name: "Gemini 3.5 Flash",
      context: 1_048_576,
      output: 65_536,
      abilities: ALL_ABILITIES,
      efforts: GEMINI_3,
      dollars: { input: 1.5, output: 9, read: 0.15 },
      source: GOOGLE,
      date: DATE,
    },
    {
      id: "gemini-2.5-pro",
      name: "Gemini 2.5 Pro",
      context: 1_048_576,
      output: 65_536,
      abilities: ALL_ABILITIES,
      efforts: GEMINI_2_PRO,
      dollars: { input: 1.25, output: 10, read: 0.125 },
      source: GOOGLE,
      date: DATE,
    },
    {
      id: "gemini-2.5-flash",
      name: "Gemini 2.5 Flash",
      context: 1_048_576,
      output: 65_536,
      abilities: ALL_ABILITIES,
      efforts: FOUR,
      dollars: { input: 0.3, output: 2.5, read: 0.03 },
      source: GOOGLE,
      date: DATE,
    },
    {
      id: "gemini-2.5-flash-lite",
      name: "Gemini 2.5 Flash-Lite",
      context: 1_048_576,
      output: 65_536,
      abilities: ALL_ABILITIES,
      efforts: FOUR,
      dollars: { input: 0.1, output: 0.4, read: 0.01 },
      source: GOOGLE,
      date: DATE,
    },
  ],
};
