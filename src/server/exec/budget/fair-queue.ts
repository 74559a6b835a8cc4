/** Between whom turns are shared: first between people, and those of a person between their chats. */
export type QueueOwner = { userId: string; chatId: string };

export type FairQueue<Entry> = {
  add: (owner: QueueOwner, entry: Entry) => void;
  /** Takes the oldest entry of the chat whose turn it is, and then lets the others have theirs. */
  take: () => Entry | undefined;
  /** Does nothing for one that was taken. */
  remove: (owner: QueueOwner, entry: Entry) => void;
  size: () => number;
};

/** Creates a round-robin queue over people, and over the chats of each: at most one entry of each other person comes first. */
export const createFairQueue = <Entry>(): FairQueue<Entry> => {
  /** In the order of their turns. */
  const people = new Map<string, Map<string, Entry[]>>();

  const add = ({ userId, chatId }: QueueOwner, entry: Entry): void => {
    const chats = people.get(userId) ?? new Map<string, Entry[]>();
    people.set(userId, chats.set(chatId, [...(chats.get(chatId) ?? []), entry]));
  };
  return {
    add,
    take: () => takeFirst(people, (chats) => takeFirst(chats, (entries) => entries.shift())),
    remove: (owner, entry) => {
      const chats = people.get(owner.userId);
      const entries = chats?.get(owner.chatId)?.filter((other) => other !== entry);
      if (!chats || !entries) return;
      if (entries.length > 0) chats.set(owner.chatId, entries);
      else chats.delete(owner.chatId);
      if (chats.size === 0) people.delete(owner.userId);
    },
    size: () =>
      [...people.values()]
        .flatMap((chats) => [...chats.values()])
        .reduce((total, entries) => total + entries.length, 0),
  };
};

type Emptied = { readonly size: number } | { readonly length: number };

/** Takes something of the first one, which then is the last one, or is removed if it has no more. */
const takeFirst = <Rest extends Emptied, Entry>(
  turns: Map<string, Rest>,
  take: (rest: Rest) => Entry | undefined,
): Entry | undefined => {
  const [first] = turns;
  if (!first) return undefined;
  const [name, rest] = first;
  const entry = take(rest);
  turns.delete(name);
  if (("size" in rest ? rest.size : rest.length) > 0) turns.set(name, rest);
  return entry;
};
