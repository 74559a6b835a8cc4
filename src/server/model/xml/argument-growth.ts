import type { JsonValue } from "@/contract/json";
import type { Frame } from "./value-frame";

/** Writes the arguments of a call as JSON while they arrive, for a preview. */
export const createArgumentGrowth = (write: (json: string) => void) => {
  let isEmpty = true;
  /** The name of the list whose items arrive. */
  let list: string | undefined;
  let isTextOpen = false;

  const closeList = (): void => {
    if (list !== undefined) write("]");
    list = undefined;
  };
  const openField = (key: string): void => {
    closeList();
    write(`${isEmpty ? "{" : ","}${JSON.stringify(key)}:`);
    isEmpty = false;
  };

  return {
    addField: (key: string, value: JsonValue): void => {
      openField(key);
      write(JSON.stringify(value));
    },
    openParameter: ({ key, isItem, isJson }: Frame): void => {
      if (isItem && list === key) return write(",");
      openField(key);
      if (!isItem || isJson) return;
      list = key;
      write("[");
    },
    appendText: (text: string): void => {
      const escaped = JSON.stringify(text).slice(1, -1);
      write(isTextOpen ? escaped : `"${escaped}`);
      isTextOpen = true;
    },
    /** @param value of the parameter, or of one item. */
    closeParameter: (value: JsonValue): void => {
      write(isTextOpen ? '"' : JSON.stringify(value));
      isTextOpen = false;
    },
    close: (): void => {
      closeList();
      write(isEmpty ? "{}" : "}");
    },
  };
};

export type ArgumentGrowth = ReturnType<typeof createArgumentGrowth>;
