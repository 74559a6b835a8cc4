import { randomUUID } from "node:crypto";
import type { LanguageModelV4 } from "@ai-sdk/provider";
import type { Effort } from "@/contract/efforts";
import { DEFAULT_WAIT_MINUTES } from "@/contract/limits";
import type {
  ModelAbility,
  ModelKeySource,
  ModelPrices,
  ModelReading,
  ProviderName,
  ToolProtocol,
} from "@/contract/model";
import type { ProviderToolName } from "@/contract/provider-tool";
import { memoizeByObject } from "@/lib/memoize-by-object";
import { addSecret } from "@/server/mask-secrets";
import { MODELS_PAGE, ModelCallError } from "@/server/model/classify-failure";
import { createModelClient } from "./create-model-client";
import { lookUpModel } from "./model-catalog";
import type { KeyCipher } from "./key-cipher";
import { findEfforts } from "@/server/model/call-parameters";
import { listAbilities, withReading } from "@/server/model/file-abilities";
import type { CallParameters, ChatModel } from "@/server/model/model-step";
import { createCallWords, type FindCallWord } from "@/server/model/xml/call-word";
import { createXmlModel } from "@/server/model/xml/create-xml-model";
import type { ProviderAccess } from "./provider";
import { findProviderProblem, hasAccess, hasKey, type ProviderSettings } from "./provider-access";
import { ALL_PROVIDERS } from "./providers/all-providers";

/** The address and the key that the settings store for a model. */
type StoredAccess = {
  id: string;
  fromEnvironment: boolean;
  baseUrl: string | null;
  encryptedKey: string | null;
};

const MS_PER_MINUTE = 60_000;

/** The fields of a model's row that a call needs. A model without stored access uses that of the environment. */
export type ConfiguredModel = {
  provider: ProviderName;
  model: string;
  contextLimit: number | null;
  prices: ModelPrices | null;
  /** Native when undefined. */
  toolProtocol?: ToolProtocol;
  /** What is known or learned when null or undefined. */
  reads?: ModelReading | null;
  /** The default when null or undefined. */
  waitMinutes?: number | null;
  /** What is known, or the provider's own, when null or undefined. */
  maxOutputTokens?: number | null;
  reasoningEffort?: Effort | null;
  temperature?: number | null;
  compactAt?: number | null;
  /** Tools that the provider runs; none when undefined. */
  providerTools?: readonly ProviderToolName[];
  /** What `file_search` searches. */
  fileStores?: readonly string[];
} & Partial<StoredAccess>;

/** A key that was encrypted with another secret. */
const UNREADABLE = new ModelCallError(
  "missing_key",
  `The key of this model cannot be read, because the server's secret was changed: enter the key again ${MODELS_PAGE}.`,
);

/** Creates the functions that decide between the environment's access to a provider and the stored one. */
const createAccessReader = (settings: ProviderSettings, cipher: KeyCipher | undefined) => {
  /** The environment's access comes first for the models that it names, and is sent to no other address. */
  const usesEnvironment = (row: ConfiguredModel): boolean => {
    const isStored = Boolean(row.baseUrl ?? row.encryptedKey);
    return !isStored || (row.fromEnvironment === true && hasAccess(settings, row.provider));
  };

  /** @returns the stored access; the problem of a key that cannot be read. */
  const readStoredAccess = ({
    id = "",
    baseUrl,
    encryptedKey,
  }: ConfiguredModel): ProviderAccess | ModelCallError => {
    const apiKey = encryptedKey ? cipher?.decrypt(encryptedKey, id) : undefined;
    if (encryptedKey && apiKey === undefined) return UNREADABLE;
    if (apiKey !== undefined) addSecret(apiKey);
    return { apiKey, baseUrl: baseUrl ?? undefined };
  };

  const findSettings = (row: ConfiguredModel): ProviderSettings | ModelCallError => {
    if (usesEnvironment(row)) return settings;
    const access = readStoredAccess(row);
    return access instanceof ModelCallError ? access : { [row.provider]: access };
  };

  return { usesEnvironment, readStoredAccess, findSettings };
};

type ClientDeps = Pick<
  ReturnType<typeof createAccessReader>,
  "usesEnvironment" | "findSettings"
> & {
  findWord: FindCallWord;
};

/** Holds one client of each model, until it is reached in another way. */
const createClients = ({ usesEnvironment, findSettings, findWord }: ClientDeps) => {
  const clients = new Map<string, { access: string; client: LanguageModelV4 }>();
  /** A change of what a model reads, or of its limit, makes another client, too, of which no refusals are known. */
  const toAccess = (row: ConfiguredModel): string => {
    const { baseUrl, encryptedKey, toolProtocol, reads, maxOutputTokens } = row;
    const isXml = toolProtocol === "xml";
    return [usesEnvironment(row), baseUrl, encryptedKey, isXml, reads, maxOutputTokens].join(" ");
  };
  return {
    /** @returns undefined before the first call. */
    find: (row: ConfiguredModel): LanguageModelV4 | undefined => {
      const known = clients.get(toLabel(row));
      return known?.access === toAccess(row) ? known.client : undefined;
    },
    create: (row: ConfiguredModel): LanguageModelV4 => {
      const native = createModelClient(findSettings(row), row.provider, row.model);
      const client = row.toolProtocol === "xml" ? createXmlModel(native, findWord) : native;
      clients.set(toLabel(row), { access: toAccess(row), client });
      return client;
    },
  };
};

const requireCipher = (cipher: KeyCipher | undefined): KeyCipher => {
  if (cipher) return cipher;
  throw new Error("the registry has no cipher");
};

/**
 * Creates the registry that joins configured models with clients, one client per model.
 *
 * @param settings those of the environment.
 * @param cipher decrypts the keys of the settings; without it, none can be read.
 * @param findWord the words of calls in XML, which are the same in all processes that may work on a chat.
 */
export const createModelRegistry = (
  settings: ProviderSettings,
  cipher?: KeyCipher,
  findWord: FindCallWord = createCallWords(randomUUID()),
) => {
  const { usesEnvironment, readStoredAccess, findSettings } = createAccessReader(settings, cipher);

  const clients = createClients({ usesEnvironment, findSettings, findWord });

  return {
    encryptKey: (apiKey: string, modelId: string): string =>
      requireCipher(cipher).encrypt(apiKey, modelId),

    usesEnvironment,

    /** Lets results of tools show the stored key of none of these models, whether or not it is used. Reads a list once. */
    rememberKeys: memoizeByObject((rows: readonly ConfiguredModel[]) => {
      for (const row of rows) readStoredAccess(row);
    }),

    /** Whether the environment has what the provider needs. */
    hasEnvironmentAccess: (provider: ProviderName): boolean => hasAccess(settings, provider),

    /** @returns where the key of a model's calls comes from. */
    findKeySource: (row: ConfiguredModel): ModelKeySource => {
      if (usesEnvironment(row)) return hasKey(settings, row.provider) ? "environment" : "none";
      const access = readStoredAccess(row);
      if (access instanceof ModelCallError) return "unreadable";
      return access.apiKey === undefined ? "none" : "settings";
    },

    /** @returns what a model is reached with, or why the stored key cannot be read. */
    findAccess: (row: ConfiguredModel): ProviderAccess | ModelCallError => {
      const found = findSettings(row);
      return found instanceof ModelCallError ? found : (found[row.provider] ?? {});
    },

    /** @returns why a model cannot be called; undefined if the settings allow it. */
    findProblem: (row: ConfiguredModel): string | undefined => {
      const found = findSettings(row);
      return found instanceof ModelCallError
        ? found.message
        : findProviderProblem(found, row.provider)?.message;
    },

    /** @returns what a model can do besides reading and writing text, as far as this process knows. */
    listAbilities: (row: ConfiguredModel): readonly ModelAbility[] | undefined => {
      const { abilities } = toFacts(row);
      return listAbilities({ provider: row.provider, abilities, client: clients.find(row) });
    },

    /** @returns the efforts that a model has, as far as this process knows. */
    listEfforts: (row: ConfiguredModel): readonly Effort[] | undefined =>
      findEfforts({ ...toFacts(row), client: clients.find(row) }),

    /** @returns the same model for the same row, which must not change. */
    toChatModel: memoizeByObject((row: ConfiguredModel): ChatModel => ({
      ...toModelData(row),
      client: clients.find(row) ?? clients.create(row),
    })),
  };
};

const toLabel = ({ provider, model }: Pick<ConfiguredModel, "provider" | "model">): string =>
  `${provider}/${model}`;

const toModelData = (row: ConfiguredModel): Omit<ChatModel, "client"> => {
  const { provider, model, contextLimit, prices, waitMinutes } = row;
  const { options: providerOptions } = ALL_PROVIDERS[provider];
  return {
    provider,
    model,
    label: toLabel(row),
    contextLimit,
    prices,
    ...toFacts(row),
    defaults: toDefaults(row),
    firstPartMs: (waitMinutes ?? DEFAULT_WAIT_MINUTES) * MS_PER_MINUTE,
    ...(providerOptions && { providerOptions }),
  };
};

type Facts = Pick<
  ChatModel,
  "abilities" | "compactAt" | "toolProtocol" | "efforts" | "outputLimit" | "providerTools"
>;

const toFacts = (row: ConfiguredModel): Facts => {
  const { known } = lookUpModel(row.provider, row.model);
  const { efforts = [], output } = known ?? {};
  const abilities = withReading(known?.abilities, row.reads);
  const { toolProtocol, compactAt = null } = row;
  const providerTools = toClientTools(row);
  return {
    compactAt,
    ...(toolProtocol && { toolProtocol }),
    ...(abilities && { abilities }),
    ...(known && { efforts }),
    ...(output !== undefined && { outputLimit: output }),
    ...(providerTools.size > 0 && { providerTools }),
  };
};

const toDefaults = (row: ConfiguredModel): CallParameters => {
  const { maxOutputTokens, reasoningEffort, temperature } = row;
  return {
    ...(typeof maxOutputTokens === "number" && { maxOutputTokens }),
    ...(reasoningEffort && { reasoningEffort }),
    ...(typeof temperature === "number" && { temperature }),
  };
};

const toClientTools = ({
  provider,
  providerTools = [],
  fileStores = [],
}: ConfiguredModel): NonNullable<ChatModel["providerTools"]> =>
  new Map(
    providerTools.flatMap((name) => {
      const tool = ALL_PROVIDERS[provider].tools?.[name]?.(fileStores);
      return tool ? [[name, tool] as const] : [];
    }),
  );

export type ModelRegistry = ReturnType<typeof createModelRegistry>;
