import { flatten } from '#shared/i18n/flatten.ts';
import type { listening as en } from '../en/listening.ts';
import { player } from './player.ts';

const queue: Record<keyof typeof en.queue, string> = {
  count_one: '{n} pista',
  count_other: '{n} pistas',
  empty: 'La cola está vacía',
  playNext: 'Reproducir {title} a continuación',
  remove: 'Quitar {title} de la cola',
  clear: 'Vaciar la cola',
  move: 'Mover {title}, ahora {n} de {all}. Usa las flechas o arrastra.',
  moved: '{title} es ahora {n} de {all}',
  removed: 'Se quitó {title}',
  cleared: 'La cola quedó vacía',
  undo: 'Deshacer',
};

const tools: Record<keyof typeof en.tools, string> = {
  left_start: 'Desde el principio; estabas en {from}.',
  left_elsewhere: 'Sigue en {to}, donde estaba otro dispositivo. Aquí estabas en {from}.',
  left_phone: 'Sigue en {to}, donde estabas en un teléfono. Aquí estabas en {from}.',
  left_tablet: 'Sigue en {to}, donde estabas en una tableta. Aquí estabas en {from}.',
  left_computer: 'Sigue en {to}, donde estabas en una computadora. Aquí estabas en {from}.',
  backTo: 'Volver a {time}',

  sleep: 'Temporizador',
  sleepOn: 'Temporizador, quedan {left}',
  sleepTrackOn: 'Temporizador, hasta el final de la pista',
  sleepOff: 'Apagado',
  sleepTrack: 'Al final de la pista',

  parts: 'Capítulos y marcadores',
  chapters: 'Capítulos',
  pages: 'Páginas',
  bookmarks: 'Marcadores',
  bookmarkNone: 'Marca un lugar para volver a él, con una nota si quieres.',
  bookmarkAdd: 'Marcar {time}',
  bookmarkAdded: 'Marcador en {time}',
  bookmarkGo: 'Ir a {time}',
  bookmarkEdit: 'Nota del marcador en {time}',
  bookmarkDelete: 'Borrar el marcador en {time}',
  bookmarkDeleted: 'Se borró el marcador en {time}',
  bookmarksFailed: 'Tus marcadores no se cargaron.',
  note: 'Nota',
  noteSave: 'Guardar',

  shortcuts: 'Atajos de teclado',
  doPlayPause: 'Reproducir o pausar',
  doBack: 'Retroceder 15 segundos',
  doForward: 'Avanzar 15 segundos',
  doNext: 'Pista siguiente',
  doPrevious: 'Pista anterior',
  doSentences: 'Frase anterior, frase siguiente',
  doLoop: 'Repetir la frase o seguir',
  doSpeed: 'Más lento, más rápido',
  doBookmark: 'Marcar este lugar',
  doMute: 'Silenciar o activar el sonido',
  doHelp: 'Esta lista',
  keySpace: 'Espacio',
};

const reading: Record<keyof typeof en.reading, string> = {
  failed: 'El texto no se cargó.',
  none: 'Esta grabación no tiene texto.',
  estimated: 'Los tiempos de las frases son aproximados.',
  tools: 'Leer mientras escuchas',
  previous: 'Frase anterior',
  next: 'Frase siguiente',
  loop: 'Repetir la frase',
  ladder: 'Repetirla despacio y luego más rápido',
  pause: 'Parar después de cada frase',
  translation: 'Traducción',
  follow: 'Volver a la voz',
  settings: 'Texto y velocidad',
  size: 'Tamaño del texto',
  sizeText: '{n} %',
  face: 'Letra',
  faceBook: 'De libro',
  faceClear: 'Clara',
  speed: 'Velocidad',
  speedText: '{speed} veces',
  lockScreen: 'Pantalla bloqueada: anterior y siguiente van por frases',
};

export const listening: Record<keyof typeof en, Record<string, string>> = { player, queue, tools, reading };
export const texts = flatten(listening);
