import { Gauge, Registry } from "prom-client";
import { ChatStatus } from "@/contract/chat";

/** The chats by where they stand, in the text format of Prometheus. Counted when it is asked. */
export const chatGauge = async (counts: Partial<Record<ChatStatus, number>>): Promise<string> => {
  const register = new Registry();
  const chats = new Gauge({
    name: "parley_chats",
    help: "Chats that are not archived, by status.",
    labelNames: ["status"],
    registers: [register],
  });
  for (const status of ChatStatus.options) chats.set({ status }, counts[status] ?? 0);
  return register.metrics();
};
