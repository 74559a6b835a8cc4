// Locks the directory in its first argument, prints "locked", and holds the lock until it is killed.
import { lockDirectory } from "@/server/db/connection/directory-lock";

await lockDirectory(process.argv[2] ?? "", 0);
process.stdout.write("locked\n");
setInterval(() => undefined, 60_000);
