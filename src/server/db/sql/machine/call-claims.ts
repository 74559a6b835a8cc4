import type { CallProgress } from "@/contract/call";
import { DEFAULT_CALL_ATTEMPTS } from "@/contract/limits";
import { isUuid } from "@/lib/is-uuid";
import { toJsonText } from "@/server/db/connection/nul";
import type { Queryable, Transaction } from "@/server/db/connection/database";
import type { CallClaimRow } from "@/server/db/chats/rows";
import { readableSql, toViewerValue, type Viewer } from "@/server/db/chats/viewer";
import {
  CALL_COLUMNS,
  type CallFilter,
  type FilterValues,
  firstCalls,
  FROM_OPEN_CALLS,
  IS_WANTED,
  type ListedCallRecord,
  type ListedCallRow,
  toFilterValues,
  toListedCallRow,
} from "@/server/db/sql/reads/open-call-reads";
import { changeChat, metadataStatement, recordCallsSql } from "@/server/db/sql/rows/chat-row";
import { type NamedStatement, nameValues, runNamed } from "@/server/db/sql/rows/named-statement";

// Raw, as leases run by the clock of the database. A claim is no transition of the machine, but it raises the version: watchers
// read it, and a result that was checked before it is checked again.

/** Who takes calls, and for how long. */
export type Claimant = { holder: string; credential: string; leaseSeconds: number };

type ClaimValues = FilterValues &
  Claimant & { chatId: string | null; messageId: string | null; limit: number };

/** How often a call may be run. Its claim keeps it, as the tools of the chat may change. */
const MAX_ATTEMPTS = `CASE WHEN (candidate.tool->>'repeatable')::boolean
  THEN coalesce((candidate.tool->>'max_attempts')::int, ${DEFAULT_CALL_ATTEMPTS}) ELSE 1 END`;

const IS_OFFERED = `NOT EXISTS (SELECT FROM call_claim AS held
  WHERE held.message_id = part.message_id AND held.tool_call_id = part.tool_call_id
    AND (held.token IS NOT NULL OR held.expires_at > now()))`;

/** SQL of the end of a lease that begins now. */
const leaseEnd = (seconds: string): string => `now() + make_interval(secs => ${seconds})`;

/**
 * Takes the oldest calls that nobody holds. Chats that are locked are left out, so that no two programs wait for each other, and
 * so are those that were changed since the statement began, as it would take calls that are answered.
 */
const createClaim = <Values extends ClaimValues>(
  name: string,
  isWanted: string,
): NamedStatement<Values> =>
  metadataStatement<Values>({
    name,
    before: {
      candidate: `SELECT ${CALL_COLUMNS}, part.message_id, part.tool_call_id
        ${firstCalls(`${isWanted} AND ${IS_OFFERED}`)}`,
      locked:
        "SELECT id, version FROM chat WHERE id IN (SELECT chat_id FROM candidate) ORDER BY id FOR UPDATE SKIP LOCKED",
    },
    assign: {},
    where: `id IN (SELECT locked.id FROM locked JOIN candidate
      ON candidate.chat_id = locked.id AND candidate.version = locked.version)`,
    with: {
      taken: `INSERT INTO call_claim (message_id, tool_call_id, chat_id, token, holder, credential, claimed_at, expires_at,
          lease_seconds, attempt, max_attempts)
        SELECT candidate.message_id, candidate.tool_call_id, candidate.chat_id, gen_random_uuid(), $holder, $credential,
          now(), ${leaseEnd("$leaseSeconds::int")}, $leaseSeconds::int, 1, ${MAX_ATTEMPTS}
        FROM candidate JOIN c ON c.id = candidate.chat_id
        ON CONFLICT (message_id, tool_call_id) DO UPDATE SET token = excluded.token, holder = excluded.holder,
          credential = excluded.credential, claimed_at = excluded.claimed_at, expires_at = excluded.expires_at,
          lease_seconds = excluded.lease_seconds, progress = NULL
        RETURNING *`,
      o: recordCallsSql("call.claimed", {
        from: `taken JOIN c ON c.id = taken.chat_id
          JOIN part AS s ON s.message_id = taken.message_id AND s.tool_call_id = taken.tool_call_id`,
      }),
    },
    select: `(SELECT json_agg(json_build_object('part', candidate.part, 'labels', candidate.labels, 'tool', candidate.tool,
        'chat_id', candidate.chat_id, 'root_chat_id', candidate.root_chat_id, 'claim', taken))
      FROM taken JOIN candidate USING (message_id, tool_call_id) WHERE taken.chat_id = c.id) AS calls`,
  });

const CLAIM_SOME = createClaim<ClaimValues>("claim-calls", IS_WANTED);

const CLAIM_ONE = createClaim<ClaimValues & { toolCallId: string }>(
  "claim-call",
  `${IS_WANTED} AND chat.id = $chatId::uuid AND part.tool_call_id = $toolCallId
    AND ($messageId::uuid IS NULL OR part.message_id = $messageId::uuid)`,
);

type ClaimedRecord = { calls: ListedCallRecord[] | null };

const toClaimed = (records: readonly ClaimedRecord[]): ListedCallRow[] =>
  records
    .flatMap(({ calls }) => calls ?? [])
    .flatMap((record) => toListedCallRow(record) ?? [])
    .toSorted(compareByAge);

/** The oldest first, as in the list of open calls: each chat of a statement has a row of its own. */
const compareByAge = (one: ListedCallRow, other: ListedCallRow): number =>
  one.startedAt.getTime() - other.startedAt.getTime() ||
  (one.messageId === other.messageId
    ? one.index - other.index
    : one.messageId < other.messageId
      ? -1
      : 1);

/** Claims open calls of the viewer's chats, the oldest first. @returns those that were free, with their tokens. */
export const claimCalls = async (
  db: Queryable,
  {
    viewer,
    filter,
    limit,
    ...claimant
  }: Claimant & { viewer: Viewer; filter: CallFilter; limit: number },
): Promise<ListedCallRow[]> =>
  toClaimed(
    await runNamed<ClaimedRecord, ClaimValues>(db, CLAIM_SOME, {
      ...toFilterValues(viewer, filter),
      ...claimant,
      limit,
      chatId: null,
      messageId: null,
    }),
  );

type CallRef = { chatId: string; toolCallId: string };

/** Claims one call. @returns undefined when it is not free or not wanted, or its chat is locked at the moment. */
export const claimCall = async (
  db: Queryable,
  {
    viewer,
    filter,
    ...call
  }: Claimant & CallRef & { viewer: Viewer; filter: CallFilter; messageId: string | null },
): Promise<ListedCallRow | undefined> => {
  if (!isUuid(call.chatId)) return undefined;
  const values = { ...toFilterValues(viewer, filter), ...call, limit: 1 };
  return toClaimed(await runNamed<ClaimedRecord, typeof values>(db, CLAIM_ONE, values))[0];
};

const NEXT_OFFER = nameValues<FilterValues>({
  name: "find-next-offer",
  text: `SELECT extract(epoch FROM min(greatest(held.expires_at, now())) - now())::float8 AS seconds
    FROM (SELECT part.message_id, part.tool_call_id ${FROM_OPEN_CALLS} AND ${IS_WANTED}) AS call
    LEFT JOIN call_claim AS held USING (message_id, tool_call_id)
    WHERE held.token IS NULL`,
});

/** In how many seconds a call that nobody holds is offered: 0 for now, undefined without one. */
export const findNextOffer = async (
  db: Queryable,
  { viewer, filter }: { viewer: Viewer; filter: CallFilter },
): Promise<number | undefined> =>
  (
    await runNamed<{ seconds: number | null }, FilterValues>(
      db,
      NEXT_OFFER,
      toFilterValues(viewer, filter),
    )
  )[0]?.seconds ?? undefined;

/**
 * Its claims stay with the program, so that nobody else sees a change: only the tokens are new. Claims that are being ended are
 * left out, as two statements that lock several of them would wait for each other.
 */
const RESUME = nameValues<FilterValues & Claimant & { limit: number }>({
  name: "resume-claims",
  text: `WITH mine AS MATERIALIZED (
      SELECT chat_id, message_id, tool_call_id FROM call_claim
      WHERE token IS NOT NULL AND holder = $holder AND credential = $credential),
    candidate AS (
      SELECT ${CALL_COLUMNS}, part.message_id, part.tool_call_id
      ${firstCalls(`${IS_WANTED} AND chat.id IN (SELECT chat_id FROM mine)
        AND (part.message_id, part.tool_call_id) IN (SELECT message_id, tool_call_id FROM mine)`)}),
    locked AS (
      SELECT message_id, tool_call_id FROM call_claim
      WHERE (message_id, tool_call_id) IN (SELECT message_id, tool_call_id FROM candidate)
      ORDER BY message_id, tool_call_id FOR UPDATE SKIP LOCKED),
    renewed AS (
      UPDATE call_claim SET token = gen_random_uuid(), expires_at = ${leaseEnd("$leaseSeconds::int")},
        lease_seconds = $leaseSeconds::int
      FROM locked
      WHERE call_claim.message_id = locked.message_id AND call_claim.tool_call_id = locked.tool_call_id
        AND call_claim.token IS NOT NULL AND call_claim.holder = $holder AND call_claim.credential = $credential
      RETURNING call_claim.*)
    SELECT candidate.*, row_to_json(renewed) AS claim FROM renewed JOIN candidate USING (message_id, tool_call_id)
    ORDER BY renewed.claimed_at`,
});

/** Gives the program new tokens of the calls that it holds already. */
export const resumeClaims = async (
  db: Queryable,
  { viewer, filter, ...claimant }: Claimant & { viewer: Viewer; filter: CallFilter; limit: number },
): Promise<ListedCallRow[]> => {
  const values = { ...toFilterValues(viewer, filter), ...claimant };
  const records = await runNamed<ListedCallRecord, typeof values>(db, RESUME, values);
  return records.flatMap((record) => toListedCallRow(record) ?? []);
};

/** A claim as its holder names it. */
type HeldClaim = CallRef & { viewer: (string | null)[]; token: string };

/** SQL of the condition of the held claim, and of a chat that the viewer may change. */
const IS_HELD = `call_claim.chat_id = $chatId::uuid AND call_claim.tool_call_id = $toolCallId
  AND call_claim.token = $token::uuid`;
const IS_ACCESSIBLE = `EXISTS (SELECT FROM chat WHERE id = $chatId::uuid AND ${readableSql("$viewer", "chat")})`;

type Beat = HeldClaim & { leaseSeconds: number | null; progress: string | null };

const RENEW = `UPDATE call_claim SET lease_seconds = coalesce($leaseSeconds::int, lease_seconds),
    expires_at = ${leaseEnd("coalesce($leaseSeconds::int, lease_seconds)")},
    progress = coalesce($progress::jsonb, progress)`;

const LEASE_COLUMNS = `call_claim.expires_at AS "expiresAt", (SELECT deadline_at FROM part
  WHERE part.message_id = call_claim.message_id AND part.tool_call_id = call_claim.tool_call_id) AS "deadlineAt"`;

const BEAT = nameValues<Beat>({
  name: "renew-call-claim",
  text: `${RENEW} WHERE ${IS_HELD} AND ${IS_ACCESSIBLE} RETURNING ${LEASE_COLUMNS}`,
});

/** The chat is locked before its claim, as a result does. */
const BEAT_WITH_PROGRESS = metadataStatement<Beat>({
  name: "save-call-progress",
  before: {
    locked: `SELECT id FROM chat WHERE id = $chatId::uuid AND ${readableSql("$viewer", "chat")} FOR UPDATE`,
    beat: `${RENEW} FROM locked WHERE call_claim.chat_id = locked.id AND ${IS_HELD} RETURNING ${LEASE_COLUMNS}`,
  },
  assign: {},
  where: `id = $chatId::uuid AND EXISTS (SELECT FROM beat)`,
  select: `beat."expiresAt", beat."deadlineAt"`,
  from: "beat",
});

/** Until when a program holds a call, and until when the call is open. */
export type Lease = { expiresAt: Date; deadlineAt: Date | null };

type Renewal = CallRef & { token: string; leaseSeconds: number | undefined };

/**
 * Renews a lease. Only what a program says of its progress is announced, as a lease is renewed all the time.
 *
 * @returns undefined when the program does not hold the call.
 */
export const renewClaim = async (
  db: Queryable,
  {
    viewer,
    progress,
    leaseSeconds,
    ...held
  }: Renewal & { viewer: Viewer; progress: CallProgress | undefined },
): Promise<Lease | undefined> => {
  if (!isUuid(held.chatId)) return undefined;
  const values: Beat = {
    ...held,
    viewer: toViewerValue(viewer),
    leaseSeconds: leaseSeconds ?? null,
    progress: progress ? toJsonText(progress) : null,
  };
  const [lease] = await runNamed<Lease, Beat>(db, progress ? BEAT_WITH_PROGRESS : BEAT, values);
  return lease;
};

type Offer = CallRef & { token: string; retryAfterSeconds: number; attempt: number | null };

/** The program's name stays for nobody to see: without a token, nobody holds the call. */
const OFFER = metadataStatement<Offer>({
  name: "offer-call-again",
  before: {
    offered: `UPDATE call_claim SET token = NULL, progress = NULL, expires_at = ${leaseEnd("$retryAfterSeconds::int")},
        attempt = coalesce($attempt::int, attempt)
      WHERE ${IS_HELD} RETURNING chat_id`,
  },
  assign: {},
  where: "id IN (SELECT chat_id FROM offered)",
});

/** Lets other programs claim a held call of a locked chat. @returns false when nobody holds it with this token. */
export const offerCall = async (
  tx: Transaction,
  { attempt, ...offer }: CallRef & { token: string; retryAfterSeconds: number; attempt?: number },
): Promise<boolean> =>
  (await changeChat(tx, OFFER, { ...offer, attempt: attempt ?? null })) !== undefined;

/** A claim whose lease has run out. */
export type ExpiredClaim = CallRef & { token: string };

type ExpiredSearch = { limit: number; except: readonly string[] };

/** SQL of the claims whose lease has run out. Omits those of archived chats, which accept no transition. */
export const FROM_EXPIRED_CLAIMS = `FROM call_claim JOIN chat ON chat.id = call_claim.chat_id
    WHERE call_claim.token IS NOT NULL AND call_claim.expires_at < now() AND chat.archived_at IS NULL`;

const EXPIRED = nameValues<ExpiredSearch>({
  name: "expired-claims",
  text: `SELECT call_claim.chat_id AS "chatId", call_claim.tool_call_id AS "toolCallId", call_claim.token
    ${FROM_EXPIRED_CLAIMS} AND call_claim.token <> ALL($except::uuid[])
    ORDER BY call_claim.expires_at LIMIT $limit`,
});

/**
 * Lists claims whose lease has run out, the oldest first.
 *
 * @param search.except tokens of claims that are left out.
 */
export const listExpiredClaims = (db: Queryable, search: ExpiredSearch): Promise<ExpiredClaim[]> =>
  runNamed(db, EXPIRED, search);

const OVERDUE = nameValues<CallRef & { token: string }>({
  name: "find-overdue-claim",
  text: `SELECT attempt, max_attempts AS "maxAttempts" FROM call_claim WHERE ${IS_HELD} AND expires_at < now()`,
});

/** Finds the claim in a locked chat, unless its holder has renewed it. */
export const findOverdueClaim = async (
  tx: Transaction,
  claim: CallRef & { token: string },
): Promise<Pick<CallClaimRow, "attempt" | "maxAttempts"> | undefined> =>
  (
    await runNamed<Pick<CallClaimRow, "attempt" | "maxAttempts">, typeof claim>(tx, OVERDUE, claim)
  )[0];
