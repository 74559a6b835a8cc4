import { createKeyCipher } from "@/server/model/catalog/key-cipher";

/** The secret of servers in tests. */
export const TEST_SECRET = "a secret for tests, which signs nothing of value";

/** What encrypts with that secret. */
export const TEST_CIPHER = createKeyCipher(TEST_SECRET);
