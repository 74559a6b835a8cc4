import type { Labels } from "@/contract/labels";
import { DomainError } from "@/contract/domain-error";
import { MAX_LABELS } from "@/contract/limits";
import type { Viewer } from "@/server/db/chats/viewer";

/**
 * Requires that a viewer would see a new chat.
 *
 * @throws {DomainError} `forbidden` for a token that is restricted to one chat.
 */
export const requireNewChats = ({ chatId }: Viewer): void => {
  if (chatId === undefined) return;
  throw new DomainError("forbidden", "This token is for one chat, and makes no others.", {
    shouldRetry: false,
  });
};

/**
 * Adds to the labels of a chat what all chats of the viewer have.
 *
 * @throws {DomainError} `forbidden` for other values of these; `invalid` for too many labels.
 */
export const withViewerLabels = ({ labels: own = {} }: Viewer, given: Labels): Labels => {
  const other = Object.entries(own).find(
    ([name, value]) => Object.hasOwn(given, name) && given[name] !== value,
  );
  if (other) {
    const [name, value] = other;
    const message = `must be "${value}", as this key is restricted to such chats`;
    throw new DomainError("forbidden", `The label "${name}" ${message}.`, {
      errors: [{ pointer: `/labels/${name}`, message }],
      shouldRetry: false,
    });
  }
  const labels = { ...given, ...own };
  if (Object.keys(labels).length <= MAX_LABELS) return labels;
  const message = `must be at most ${MAX_LABELS} with those of this key`;
  throw new DomainError("invalid", `/labels ${message}.`, {
    errors: [{ pointer: "/labels", message }],
  });
};
