// Creates a new embedded database for first starts, which copy it.
import { mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import {
  initialiseCluster,
  toPreparedCluster,
} from "../src/server/db/connection/prepared-cluster.mjs";

const prepared = toPreparedCluster();
const aside = `${prepared}.init`;
mkdirSync(dirname(prepared), { recursive: true });
for (const directory of [aside, prepared]) rmSync(directory, { recursive: true, force: true });
await initialiseCluster(aside);
// A build that was ended in the middle leaves no half of it.
renameSync(aside, prepared);
