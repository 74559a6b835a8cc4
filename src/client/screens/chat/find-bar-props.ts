export type FindBarProps = {
  chatId: string;
  /** What was typed while it was loaded. */
  typed: string;
  /** How often it was asked for; each time its field gets the focus. */
  openCount: number;
  /** Shows a message, which may have to be loaded. */
  onShow: (seq: number) => void;
  onClose: () => void;
};
