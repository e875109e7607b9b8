/** A piece of a text, and whether it holds what was looked for. */
export interface Piece {
  text: string;
  isFound: boolean;
}

/** A text in pieces. In: the text, where the words that were looked for stand (from, to; in order, apart), in UTF-16 units. */
export function piecesOf(text: string, marks: readonly (readonly [number, number])[]): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const [from, to] of marks) {
    if (from > end) pieces.push({ text: text.slice(end, from), isFound: false });
    pieces.push({ text: text.slice(Math.max(from, end), to), isFound: true });
    end = Math.max(end, to);
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isFound: false });
  return pieces.filter((piece) => piece.text !== '');
}
