import { piecesOf } from '../model/marks.ts';

interface Props {
  text: string;
  marks: readonly (readonly [number, number])[];
}

/** A text with the words that were looked for marked. */
export const Marked = ({ text, marks }: Props) => (
  <>
    {piecesOf(text, marks).map((piece, index) =>
      piece.isFound ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
        <mark key={index} className="rounded-sm bg-accent-soft text-accent-text">
          {piece.text}
        </mark>
      ) : (
        piece.text
      ),
    )}
  </>
);
