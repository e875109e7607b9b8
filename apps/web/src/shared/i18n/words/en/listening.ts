import { flatten } from '#shared/i18n/flatten.ts';
import { player } from './player.ts';

const queue = {
  count_one: '{n} track',
  count_other: '{n} tracks',
  empty: 'The queue is empty',
  playNext: 'Play {title} next',
  remove: 'Remove {title} from the queue',
  clear: 'Clear the queue',
  move: 'Move {title}, now {n} of {all}. Use the arrow keys, or drag.',
  moved: '{title} is now {n} of {all}',
  removed: '{title} was removed',
  cleared: 'The queue was cleared',
  undo: 'Undo',
} as const;

/** Sleep, chapters, bookmarks, keys. */
const tools = {
  left_start: 'From the beginning; you were at {from}.',
  left_elsewhere: 'Continuing at {to}, where another device was. Here you were at {from}.',
  left_phone: 'Continuing at {to}, where you were on a phone. Here you were at {from}.',
  left_tablet: 'Continuing at {to}, where you were on a tablet. Here you were at {from}.',
  left_computer: 'Continuing at {to}, where you were on a computer. Here you were at {from}.',
  backTo: 'Back to {time}',

  sleep: 'Sleep timer',
  sleepOn: 'Sleep timer, {left} left',
  sleepTrackOn: 'Sleep timer, until the end of the track',
  sleepOff: 'Off',
  sleepTrack: 'End of the track',

  parts: 'Chapters and bookmarks',
  chapters: 'Chapters',
  pages: 'Pages',
  bookmarks: 'Bookmarks',
  bookmarkNone: 'Mark a place to come back to, with a note if you like.',
  bookmarkAdd: 'Bookmark {time}',
  bookmarkAdded: 'Bookmark at {time}',
  bookmarkGo: 'Go to {time}',
  bookmarkEdit: 'Note of the bookmark at {time}',
  bookmarkDelete: 'Delete the bookmark at {time}',
  bookmarkDeleted: 'The bookmark at {time} was deleted',
  bookmarksFailed: 'Your bookmarks did not load.',
  note: 'Note',
  noteSave: 'Save',

  shortcuts: 'Keyboard shortcuts',
  doPlayPause: 'Play or pause',
  doBack: 'Back 15 seconds',
  doForward: 'Forward 15 seconds',
  doNext: 'Next track',
  doPrevious: 'Previous track',
  doSentences: 'Previous sentence, next sentence',
  doLoop: 'Repeat the sentence, or go on',
  doSpeed: 'Slower, faster',
  doBookmark: 'Bookmark this place',
  doMute: 'Mute or unmute',
  doHelp: 'This list',
  keySpace: 'Space',
} as const;

const reading = {
  failed: 'The text did not load.',
  none: 'This recording has no text.',
  estimated: 'The times of the sentences are estimated.',
  tools: 'Reading along',
  previous: 'Previous sentence',
  next: 'Next sentence',
  loop: 'Repeat the sentence',
  ladder: 'Say it slowly, then faster',
  pause: 'Stop after each sentence',
  translation: 'Translation',
  follow: 'Back to the voice',
  settings: 'Text and speed',
  size: 'Text size',
  sizeText: '{n}%',
  face: 'Typeface',
  faceBook: 'Book',
  faceClear: 'Clear',
  speed: 'Speed',
  speedText: '{speed} times',
  lockScreen: 'Lock screen: previous and next go by sentences',
} as const;

/** The player and what opens of it: queue, text, timer, chapters, keys. It comes with the player, after the page. */
export const listening = { player, queue, tools, reading };
export const texts = flatten(listening);
