/** Access to a provider; without `baseUrl`, at its public address. */
export type ProviderSettings = { apiKey: string | undefined; baseUrl: string | undefined };

/** Characters of a random secret that cannot be guessed. */
export const MIN_SECRET_LENGTH = 32;

/** @param remedy what to do, as the end of the sentence. */
export const createSettingError = (
  name: string,
  problem: string,
  { remedy }: { remedy: string },
): Error => new Error(`${name} ${problem}: ${remedy}.`);

/** Creates readers of single variables. Container tools pass unset variables empty. */
export const createReader = (variables: Record<string, string | undefined>) => {
  const text = (name: string): string | null => {
    const value = variables[name]?.trim() ?? "";
    return value === "" ? null : value;
  };

  const url = (name: string, protocols: string[]): string | null => {
    const value = text(name);
    if (value === null) return null;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value;
    throw createSettingError(name, "is not a valid URL here", {
      remedy: `write it as ${protocols[0]}//…`,
    });
  };

  return {
    text,
    url,
    int: (name: string, range: { fallback: number; min: number; max: number }): number => {
      const value = text(name);
      if (value === null) return range.fallback;
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
      if (number >= range.min && number <= range.max) return number;
      throw createSettingError(name, `is "${value}"`, {
        remedy: `set it to a whole number from ${range.min} to ${range.max}`,
      });
    },
    /** @returns millionths of the currency of the price list. */
    cost: (name: string): number | null => parseCost(name, text(name)),
    choice: <Choice extends string>(
      name: string,
      choices: readonly Choice[],
      fallback: Choice,
    ): Choice => {
      const value = text(name) ?? fallback;
      const choice = choices.find((candidate) => candidate === value);
      if (choice !== undefined) return choice;
      throw createSettingError(name, `is "${value}"`, {
        remedy: `set it to one of ${choices.join(", ")}`,
      });
    },
    secret: (name: string): string | null => {
      const value = text(name);
      if (value === null || value.length >= MIN_SECRET_LENGTH) return value;
      throw createSettingError(name, `has ${value.length} characters`, {
        remedy: `set it to at least ${MIN_SECRET_LENGTH} random ones (openssl rand -base64 32)`,
      });
    },
    provider: (keyName: string, urlName: string): ProviderSettings => ({
      apiKey: text(keyName) ?? undefined,
      baseUrl: url(urlName, ["https:", "http:"])?.replace(/\/+$/, ""),
    }),
  };
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
