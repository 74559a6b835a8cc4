import type { Logger } from "pino";
import type { Database } from "@/server/db/connection/database";
import { appSecret, type Env } from "@/server/env";
import { createKeyCipher } from "@/server/model/catalog/key-cipher";
import { createAddressPolicy } from "@/server/net/address-policy";
import { createPush, type Push } from "@/server/push/push";

/** What push services get where the server has no public address: some refuse a request without a contact. */
const UNKNOWN_CONTACT = "mailto:operator@parley.invalid";

/** Creates the notifications of a process by the settings of the environment. */
export const createAppPush = (settings: Env, deps: { db: Database; log: Logger }): Push => {
  const { publicUrl, webAllow, port } = settings;
  return createPush({
    ...deps,
    cipher: createKeyCipher(appSecret(settings)),
    policy: createAddressPolicy({ allow: webAllow, ownPort: port }),
    contact: publicUrl?.startsWith("https:") ? publicUrl : UNKNOWN_CONTACT,
  });
};
