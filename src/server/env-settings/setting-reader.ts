import { parseServerAddress } from "./server-address.mjs";

/** Access to a provider; without `baseUrl`, at its public address. */
export type ProviderSettings = { apiKey: string | undefined; baseUrl: string | undefined };

type Variables = Record<string, string | undefined>;

/** A setting as docs/settings.md shows it. */
export type SettingEntry = {
  section: string;
  name: string;
  /** Sentences in Markdown for operators. */
  about: string;
  /** Which values are valid, as the end of a sentence; undefined where `about` says it. */
  values?: string;
  /** Used while the variable is not set. */
  fallback: string | null;
};

/** Characters of a random secret that cannot be guessed. */
export const MIN_SECRET_LENGTH = 32;

/** @param remedy what to do, as the end of the sentence. */
export const createSettingError = (
  name: string,
  problem: string,
  { remedy }: { remedy: string },
): Error => new Error(`${name} ${problem}: ${remedy}.`);

/**
 * Creates a reader of variables, which collects what operators may read of each. Container tools pass unset variables
 * empty.
 */
export const createReader = (variables: Variables) => {
  const entries: SettingEntry[] = [];
  return {
    /** The settings that were read, in that order. */
    entries,
    /** @returns readers of the variables of one section of docs/settings.md. */
    section: (section: string) =>
      createSectionReader(variables, (entry) => entries.push({ section, ...entry })),
  };
};

const createSectionReader = (
  variables: Variables,
  addEntry: (entry: Omit<SettingEntry, "section">) => void,
) => {
  const read = (entry: Omit<SettingEntry, "section">): string | null => {
    addEntry(entry);
    const value = variables[entry.name]?.trim() ?? "";
    return value === "" ? null : value;
  };
  const url = (name: string, { about, protocols }: UrlOptions): string | null =>
    parseUrl(name, read({ name, about, fallback: null }), protocols);
  /** The address of a PostgreSQL server, as it is written. */
  const server = (name: string, about: string): string | null =>
    requireServer(name, read({ name, about, fallback: null }));
  /** Without a trailing slash. */
  const webUrl = (name: string, about: string): string | null =>
    url(name, { about, protocols: ["https:", "http:"] })?.replace(/(?<!\/)\/+$/, "") ?? null;
  const text = (name: string, about: string): string | null =>
    read({ name, about, fallback: null });

  return {
    server,
    webUrl,
    text,
    textOr: (fallback: string, { name, about }: NamedText): string =>
      read({ name, about, fallback }) ?? fallback,
    int: (name: string, options: IntOptions): number => {
      const { about, fallback } = options;
      const values = describeRange(options);
      const value = read({ name, about, values, fallback: String(fallback) });
      return value === null ? fallback : parseInteger(name, value, options);
    },
    optionalInt: (name: string, options: Omit<IntOptions, "fallback">): number | null => {
      const { about, min, max } = options;
      const value = read({ name, about, values: describeRange(options), fallback: null });
      return value === null ? null : parseInteger(name, value, { min, max });
    },
    /** @returns millionths of the currency of the price list. */
    cost: (name: string, about: string): number | null =>
      parseCost(name, read({ name, about, fallback: null })),
    choice: <Choice extends string>(name: string, options: ChoiceOptions<Choice>): Choice => {
      const { about, choices, fallback } = options;
      const values = `one of ${choices.map((choice) => `\`${choice}\``).join(", ")}`;
      return parseChoice(name, read({ name, about, values, fallback }) ?? fallback, choices);
    },
    secret: (name: string, about: string): string | null => {
      const values = `at least ${MIN_SECRET_LENGTH} characters`;
      return parseSecret(name, read({ name, about, values, fallback: null }));
    },
    provider: (key: NamedText, address: NamedText): ProviderSettings => ({
      apiKey: text(key.name, key.about) ?? undefined,
      baseUrl: webUrl(address.name, address.about) ?? undefined,
    }),
    /** @returns all variables whose names begin so. */
    prefixed: (prefix: string, about: string): Record<string, string> => {
      addEntry({ name: `${prefix}…`, about, fallback: null });
      return Object.fromEntries(
        Object.entries(variables).filter(
          (entry): entry is [string, string] =>
            entry[0].startsWith(prefix) && entry[1] !== undefined,
        ),
      );
    },
  };
};

type NamedText = { name: string; about: string };
type UrlOptions = { about: string; protocols: string[] };
type IntOptions = { about: string; fallback: number; min: number; max: number };
type ChoiceOptions<Choice> = { about: string; choices: readonly Choice[]; fallback: Choice };

const parseUrl = (name: string, value: string | null, protocols: string[]): string | null => {
  if (value === null) return null;
  if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
  throw createSettingError(name, "is not a valid URL here", {
    remedy: `write it as ${protocols[0]}//…`,
  });
};

const requireServer = (name: string, value: string | null): string | null => {
  if (value !== null) parseServerAddress(value, name);
  return value;
};

type Range = Pick<IntOptions, "min" | "max">;

const describeRange = ({ min, max }: Range): string => `a whole number from ${min} to ${max}`;

const parseInteger = (name: string, value: string, { min, max }: Range): number => {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw createSettingError(name, `is "${value}"`, {
    remedy: `set it to a whole number from ${min} to ${max}`,
  });
};

const parseChoice = <Choice extends string>(
  name: string,
  value: string,
  choices: readonly Choice[],
): Choice => {
  const choice = choices.find((candidate) => candidate === value);
  if (choice !== undefined) return choice;
  throw createSettingError(name, `is "${value}"`, {
    remedy: `set it to one of ${choices.join(", ")}`,
  });
};

const parseSecret = (name: string, value: string | null): string | null => {
  if (value === null || value.length >= MIN_SECRET_LENGTH) return value;
  throw createSettingError(name, `has ${value.length} characters`, {
    remedy: `set it to at least ${MIN_SECRET_LENGTH} random ones (openssl rand -base64 32)`,
  });
};

const parseCost = (name: string, value: string | null): number | null => {
  if (value === null) return null;
  const micros = /^\d{1,7}(\.\d{1,6})?$/.test(value) ? Math.round(Number(value) * 1_000_000) : 0;
  if (micros > 0) return micros;
  throw createSettingError(name, `is "${value}"`, {
    remedy: "set it to an amount above 0, such as 2.50",
  });
};

export type SettingReader = ReturnType<typeof createReader>;
export type SectionReader = ReturnType<SettingReader["section"]>;
