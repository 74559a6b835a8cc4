import type { Transaction } from "@/server/db/connection/database";
import { nameValues, runNamed } from "@/server/db/sql/rows/named-statement";

// A file is of one chat, and of no chat before it is sent. Forks of that chat share it. All of these need `lockArtifacts`.

/** SQL of the ids of a root chat and its children. */
const family = (root: string): string =>
  `SELECT ${root}::uuid UNION ALL SELECT id FROM chat WHERE parent_chat_id = ${root}::uuid`;

type Share = { originId: string; forkId: string; before: Date | null };

const SHARE = nameValues<Share>({
  name: "share-artifacts",
  text: `INSERT INTO artifact_share (chat_id, artifact_id)
    SELECT $forkId::uuid, id FROM artifact
    WHERE (chat_id IN (${family("$originId")})
        OR id IN (SELECT artifact_id FROM artifact_share WHERE chat_id = $originId::uuid))
      AND created_at <= coalesce($before::timestamptz, 'infinity')`,
});

/** Shares the files of a locked root chat and its children with a fork. @param share.before only those that are as old. */
export const shareArtifacts = async (tx: Transaction, share: Share): Promise<void> => {
  await runNamed(tx, SHARE, share);
};

const HAND_OVER = nameValues<{ rootChatId: string }>({
  name: "hand-artifacts-over",
  text: `WITH heir AS (
      SELECT DISTINCT ON (artifact.id) artifact.id, artifact_share.chat_id
      FROM artifact JOIN artifact_share ON artifact_share.artifact_id = artifact.id
      WHERE artifact.chat_id IN (${family("$rootChatId")})
      ORDER BY artifact.id, artifact_share.chat_id),
    given AS (
      UPDATE artifact SET chat_id = heir.chat_id FROM heir WHERE artifact.id = heir.id)
    DELETE FROM artifact_share USING heir
    WHERE artifact_share.artifact_id = heir.id AND artifact_share.chat_id = heir.chat_id`,
});

/** Gives the files of a locked root chat and its children that forks share to one of these, before the chat is deleted. */
export const handOverArtifacts = async (tx: Transaction, rootChatId: string): Promise<void> => {
  await runNamed(tx, HAND_OVER, { rootChatId });
};
