import type { Database } from "@/server/db/connection/database";
import { createKeyCipher } from "@/server/model/catalog/key-cipher";
import { createAddressPolicy } from "@/server/net/address-policy";
import { createPush, type Push } from "@/server/push/push";

/** Creates notifications that reach push services of a test, which are on this machine. */
export const createTestPush = (
  db: Database,
  {
    allow = ["127.0.0.1"],
    secret = "a secret of a test",
    wait = () => Promise.resolve(),
  }: { allow?: string[]; secret?: string; wait?: () => Promise<void> } = {},
): Push =>
  createPush({
    db,
    cipher: createKeyCipher(secret),
    policy: createAddressPolicy({ allow, ownPort: 1 }),
    contact: "https://parley.test",
    log: { warn: () => undefined },
    wait,
  });
