import type { Database, Transaction } from "./database";

/**
 * Runs a body and commits what it writes together with what `conclude` writes about its result, or
 * nothing of both. The transaction begins with the first write of the body, so that a body which
 * prepares or waits before it writes holds no connection.
 *
 * @param body writes by transactions of the handle, or by statements that change a chat; the handle's
 *   later reads are in the same transaction. Nothing is committed before the body has resolved. From its first
 *   write on, `db` itself throws in it: the embedded database would wait for itself.
 * @throws what the body, `conclude` or the commit throws. If the connection is lost during the commit,
 *   only a read shows whether it took place.
 */
export const commitTogether = async <Result>(
  db: Database,
  body: (db: Database) => Promise<Result>,
  conclude: (tx: Transaction, result: Result) => Promise<void>,
): Promise<Result> => {
  const finished = Promise.withResolvers<Result>();
  // Without a transaction, nothing else awaits a failure.
  finished.promise.catch(() => undefined);
  const { handle, isOpen, committed } = createLateTransaction(db, async (tx) => {
    await conclude(tx, await finished.promise);
  });
  try {
    finished.resolve(await db.guardTransaction({ isOpen }, () => body(handle)));
  } catch (error) {
    finished.reject(error);
  }
  await committed();
  return finished.promise;
};

/** @param end resolves when the transaction can be committed; its rejection rolls back. */
const createLateTransaction = (db: Database, end: (tx: Transaction) => Promise<void>) => {
  let tx: Transaction | undefined;
  let opened: Promise<Transaction> | undefined;
  let committed: Promise<void> | undefined;
  let isOpen = false;

  const open = (): Promise<Transaction> =>
    (opened ??= new Promise((resolve, reject) => {
      committed = db.transaction(async (current) => {
        tx = current;
        isOpen = true;
        resolve(current);
        await end(current).finally(() => (isOpen = false));
      });
      committed.catch(reject);
    }));

  const handle: Database = {
    ...db,
    commitsLater: true,
    get prisma() {
      return (tx ?? db).prisma;
    },
    query: async (statement, values) =>
      (statement.changesChat ? await open() : (tx ?? db)).query(statement, values),
    transaction: async (body) => body(await open()),
    reportEnded: (ended) => (tx ?? db).reportEnded(ended),
  };
  return { handle, isOpen: () => isOpen, committed: async (): Promise<void> => committed };
};
