-- What an open call of a dynamic tool was declared with: its chat may have other tools by now.
ALTER TABLE "part" ADD COLUMN     "definition" JSON;
