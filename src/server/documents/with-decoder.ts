import pLimit from "p-limit";
import { shareInProcess } from "@/server/share-in-process";

/**
 * Decodes one foreign file at a time in this process, a document or an image, whoever it is for: each may take as much
 * memory as all of them are allowed.
 */
export const withDecoder = shareInProcess("decoder", () => pLimit(1));
