import * as z from "zod";
import { ApiKeyScope, RestrictingLabels } from "./api-key";
import { isUnique } from "./declared-name";

/** Longest life of a token, which can be ended before only with its key: an hour. */
const MAX_TOKEN_SECONDS = 60 * 60;
const DEFAULT_TOKEN_SECONDS = 15 * 60;

/** A token is for pages, where scripts of others may read it. */
const TokenScope = ApiKeyScope.exclude(["admin"], {
  error: 'must be a scope of the key, other than "admin"',
});

/** As browsers send it. */
const Origin = z
  .string()
  .refine(
    (text) =>
      /^https?:$/.test(parseOrigin(text)?.protocol ?? "") && parseOrigin(text)?.origin === text,
    "must be the origin of a page, such as https://app.example.com, without a path",
  );

const parseOrigin = (text: string): URL | undefined =>
  URL.canParse(text) ? new URL(text) : undefined;

const CreateTokenFields = z.strictObject({
  scopes: z.array(TokenScope).min(1).refine(isUnique, "must not name a scope twice"),
  /** It sees only this chat, with its agents. */
  chat_id: z.string().optional(),
  /** It sees only chats with these labels, besides those of the key. */
  labels: RestrictingLabels.optional(),
  /** It works only in pages of this origin. */
  origin: Origin.optional(),
  expires_in_seconds: z.int().min(1).max(MAX_TOKEN_SECONDS).default(DEFAULT_TOKEN_SECONDS),
});

/** One chat is restriction enough. */
const checkToken: z.core.CheckFn<z.infer<typeof CreateTokenFields>> = ({ value, issues }) => {
  if (value.chat_id === undefined || value.labels === undefined) return;
  const message = "cannot be given with chat_id";
  issues.push({ code: "custom", input: value, path: ["labels"], message });
};

export const CreateTokenInput = CreateTokenFields.check(checkToken);
export type CreateTokenInput = z.infer<typeof CreateTokenInput>;

export const Token = z
  .object({ token: z.string(), expires_at: z.iso.datetime() })
  .meta({ id: "Token" });
export type Token = z.infer<typeof Token>;
