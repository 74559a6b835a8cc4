import type { ChatError } from "@/contract/chat-error";
import type { UserContent } from "@/contract/content";
import type { Mentions } from "@/contract/group";
import type { ChatParameters } from "@/contract/parameters";
import type { ResponseFormat } from "@/contract/response-format";
import type { TaskKind } from "@/contract/task-state";
import type { OpenCall } from "@/server/db/chats/call-reads";
import type { ChatRow, MessageRow, QueuedMessageRow, SummaryPartRow } from "@/server/db/chats/rows";
import type { Queryable } from "@/server/db/connection/database";
import type { ReplacedBranch } from "@/server/db/sql/machine/branch-writes";
import type { LockedChange } from "@/server/db/sql/machine/locked-transition";
import type { ClosedReason } from "@/server/tools/settle";
import type { EndedWait } from "./end-waits";

/** A message, and what the chat takes with it. */
export type EnteringMessage = {
  content: UserContent;
  modelId: string | null;
  mentions?: Mentions | null | undefined;
  /** Whether it enters the turn that runs, if it has to wait. */
  steers?: boolean;
  /** For its turn. */
  parameters?: ChatParameters | null | undefined;
  responseFormat?: ResponseFormat | null | undefined;
};

/** The input of a transition's effects; a verb sets the fields that its event needs. */
export type TransitionPayload = {
  newId: () => string;
  /** Recorded as the author of the outcomes that this transition writes. */
  by: string;
  closeReason: ClosedReason;
  /** The ids of the calls that `close_due_calls` closes. */
  dueCalls?: ReadonlySet<string>;
  message?: EnteringMessage;
  /** What the message that is answered anew sets from now on for its turn. */
  parameters?: ChatParameters | undefined;
  /** The queued message that the event is about. */
  queuedId?: string;
  /**
   * `truncate` replaces and `drop_partial` deletes from here on; `drop_partial` may have nothing to delete. `drop_boundary`
   * deletes this one.
   */
  targetSeq?: number;
  /** The branch that `choose` brings back. */
  chosen?: ReplacedBranch;
  /** The boundary that `set_boundary` writes. */
  boundary?: SummaryPartRow;
  lastError?: ChatError;
  /** What the verb has written itself within this transaction. */
  written?: Partial<LockedChange>;
};

/** The result of a transition. */
export type Applied = {
  chat: ChatRow;
  entered: MessageRow | undefined;
  joined: QueuedMessageRow | undefined;
  /** The reports that have entered the history. */
  reports: MessageRow | undefined;
  /** Calls that waited for agents, which this has ended. */
  waits: readonly EndedWait[];
  /** The tasks that this has cancelled with their calls, and the agents among them, which work until they are stopped. */
  cancelled: { kinds: readonly TaskKind[]; agentIds: readonly string[] };
};

/** A transition of a locked chat while its effects are written. */
export type Change = LockedChange & {
  tx: Queryable;
  chat: ChatRow;
  payload: TransitionPayload;
  /** The version that the chat will have. */
  version: number;
  closed: OpenCall[];
  waits: EndedWait[];
  cancelled: Applied["cancelled"];
  entered?: MessageRow;
  joined?: QueuedMessageRow;
  reports?: MessageRow;
};
