import {
  Archive,
  ArchiveRestore,
  BookOpen,
  Camera,
  Check,
  Download,
  Eraser,
  Files,
  FlaskConical,
  FoldVertical,
  Image,
  Keyboard,
  LogOut,
  type LucideIcon,
  Monitor,
  Moon,
  Paperclip,
  Pencil,
  Pin,
  PinOff,
  Search,
  Settings,
  Sun,
  Trash2,
} from "lucide-react";

const ICONS = {
  archive: Archive,
  "archive-restore": ArchiveRestore,
  "book-open": BookOpen,
  camera: Camera,
  check: Check,
  download: Download,
  eraser: Eraser,
  files: Files,
  "flask-conical": FlaskConical,
  "fold-vertical": FoldVertical,
  image: Image,
  keyboard: Keyboard,
  "log-out": LogOut,
  monitor: Monitor,
  moon: Moon,
  paperclip: Paperclip,
  pencil: Pencil,
  pin: Pin,
  "pin-off": PinOff,
  search: Search,
  settings: Settings,
  sun: Sun,
  "trash-2": Trash2,
} as const satisfies Record<string, LucideIcon>;

export type MenuIconName = keyof typeof ICONS;

/** The icon of a menu item. Items only name it, so that a page loads the icons when a menu opens. */
export const MenuIcon = ({ name }: { name: MenuIconName }) => {
  const Icon = ICONS[name];
  return <Icon aria-hidden size={15} />;
};
