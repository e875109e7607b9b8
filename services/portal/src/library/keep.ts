import { createHash } from 'node:crypto';
import type { MediaStore } from '../media/store.ts';
import { allOf, type Piece, type PieceMedia } from './piece.ts';
import type { KnownPiece, LibraryRepository, Origin } from './repository.ts';
import { storeFiles } from './source.ts';

interface Ports {
  library: LibraryRepository;
  store: MediaStore;
}

/** A piece that is ready: what it says, the paths of its files, where they were read from. */
export interface ReadyPiece extends Omit<Origin, 'hash'> {
  id: string;
  piece: Piece;
  files: PieceMedia;
  /** All that the piece was made of, as text; with the files it decides whether anything is new. */
  text: string;
}

/** The one way into the catalogue, for finished pieces and imported ones. */
export function keeper({ library, store }: Ports) {
  return {
    /** Whether nothing of a known piece is missing in the media store. */
    async isWhole({ keys }: KnownPiece): Promise<boolean> {
      const found = await Promise.all(keys.map((key) => store.stat(key)));
      return found.every((file) => file !== undefined);
    },

    /**
     * Brings a piece into the catalogue. In: the piece, and what is known of it where it is there as a whole. Out:
     * whether anything was new.
     */
    async keep(
      { id, piece, files, text, stamp, imported }: ReadyPiece,
      before: KnownPiece | undefined,
    ): Promise<boolean> {
      const keys = await storeFiles(files, store);
      const hash = createHash('sha256')
        .update(JSON.stringify([text, allOf(keys)]))
        .digest('hex');
      if (before?.hash === hash) {
        await library.saveStamp(id, stamp, imported?.source);
        return false;
      }
      await library.savePiece(id, piece, keys, { stamp, hash, ...(imported && { imported }) });
      return true;
    },
  };
}
