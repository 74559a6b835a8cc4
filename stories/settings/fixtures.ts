import type { AccountSession } from "@/contract/account";
import type { ApiKey, NewApiKey } from "@/contract/api-key";
import type { Model } from "@/contract/model";
import type { Problem } from "@/contract/problem";

export const model = (digit: number, name: string, enabled = true): Model => ({
  id: `0198c0de-0000-7000-8000-00000000000${digit}`,
  provider: "openai",
  model: name.toLowerCase(),
  name,
  context_limit: 200_000,
  tool_protocol: "native",
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

/** The current time in these stories, in milliseconds. */
export const NOW = Date.parse("2026-03-12T12:00:00.000Z");

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A time some days before or, with a negative number, after the current one. */
const daysAgo = (days: number): string => new Date(NOW - days * DAY_MS).toISOString();

const KEY: ApiKey = {
  id: "0198c0de-0000-7000-8000-000000000011",
  name: "Nightly report",
  prefix: "parley_q7Tz0",
  scopes: ["read", "chat", "calls:answer", "approvals:decide"],
  scope: "chat",
  only: null,
  expires_at: daysAgo(-90),
  from_environment: false,
  last_used_at: new Date(NOW - 5 * 60_000).toISOString(),
  created_at: daysAgo(2),
};
const NEVER_USED: ApiKey = {
  ...KEY,
  id: "0198c0de-0000-7000-8000-000000000012",
  name: "Dashboard",
  prefix: "parley_Wm31c",
  scopes: ["read"],
  scope: "read",
  expires_at: null,
  last_used_at: null,
};
const EXPIRED: ApiKey = {
  ...KEY,
  id: "0198c0de-0000-7000-8000-000000000013",
  name: "Migration",
  scopes: ["read", "chat", "calls:answer", "approvals:decide", "toolsets:write", "admin"],
  scope: "admin",
  expires_at: daysAgo(1),
  last_used_at: daysAgo(30),
};
const LONG: ApiKey = {
  ...KEY,
  id: "0198c0de-0000-7000-8000-000000000014",
  name: `Deploy ${"x".repeat(93)}`,
};
const FROM_ENVIRONMENT: ApiKey = {
  ...KEY,
  id: "0198c0de-0000-7000-8000-000000000015",
  name: "from the environment",
  scopes: ["read", "chat", "calls:answer", "approvals:decide", "toolsets:write", "admin"],
  scope: "admin",
  expires_at: null,
  from_environment: true,
};
const RUNNER: ApiKey = {
  ...KEY,
  id: "0198c0de-0000-7000-8000-000000000016",
  name: "Runner of the database team",
  scopes: ["calls:answer"],
  scope: null,
  only: { tools: ["restart_*", "measure"], labels: { app: "slackbot", team: "db" } },
};
export const KEYS = { RUNNER, KEY, NEVER_USED, EXPIRED, LONG, FROM_ENVIRONMENT };

export const CREATED_KEY: NewApiKey = { ...KEY, key: `parley_q7Tz0${"aB3".repeat(12)}x` };

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";
const CURRENT: AccountSession = {
  id: "s1",
  created_at: daysAgo(3),
  last_used_at: daysAgo(0.5),
  user_agent: `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Safari/537.36`,
  current: true,
};
const PHONE: AccountSession = {
  id: "s2",
  created_at: daysAgo(20),
  last_used_at: daysAgo(1.5),
  user_agent: `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Mobile Safari/537.36`,
  current: false,
};
const UNKNOWN: AccountSession = {
  id: "s3",
  created_at: daysAgo(40),
  last_used_at: daysAgo(30),
  user_agent: null,
  current: false,
};
export const SESSIONS = { CURRENT, PHONE, UNKNOWN };

export const UNAVAILABLE: Problem = {
  type: "about:blank",
  title: "Service Unavailable",
  status: 503,
  detail: "The server is restarting. Try again in a moment.",
  code: "unavailable",
  request_id: "req_1",
};

/** A refusal for one field of the input. */
export const invalid = (pointer: string, message: string): Problem => ({
  ...UNAVAILABLE,
  title: "Invalid request",
  status: 400,
  detail: "The request is not valid.",
  code: "invalid",
  errors: [{ pointer, message }],
});
