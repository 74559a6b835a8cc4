import type { Model } from "@/contract/model";

export const model = (digit: number, name: string, enabled = true): Model => ({
  id: `0198c0de-0000-7000-8000-00000000000${digit}`,
  provider: "openai",
  model: name.toLowerCase(),
  name,
  context_limit: 200_000,
  enabled,
  is_default: digit === 1,
});

export const SWIFT = model(1, "Swift");
export const DEEP = model(2, "Deep");
export const RETIRED = model(3, "Retired", false);
export const MODELS = [SWIFT, DEEP, RETIRED];
export const DELETED_ID = "0198c0de-0000-7000-8000-0000000000ff";

export const ready = <Value>(value: Value) => ({
  state: "ready" as const,
  value,
  isRefreshing: false,
});
export const failed = { state: "failed" as const, detail: "The server cannot be reached." };
