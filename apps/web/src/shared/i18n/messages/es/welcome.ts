import type { Translation } from '../../translate.ts';
import type { messages as en } from '../en/welcome.ts';

export const messages: Translation<typeof en> = {
  welcome: {
    metaTitle: 'Escucho: aprende inglés o español escuchando',
    title: 'Historias en el idioma que aprendes, leídas para ti',
    lead: 'Artículos, audiolibros y libros ilustrados en inglés y en español. Cada uno tiene un nivel, una voz y su texto, que se ilumina frase a frase mientras escuchas.',
    signUp: 'Crear una cuenta',
    signIn: 'Iniciar sesión',
    open: 'Abrir Escucho',
    free: 'Empezar es gratis y sin tarjeta.',
    listenTo: 'Quiero escuchar',
    sample: 'Escucha uno ahora',
    narrator: 'lee {name}',
    position: 'Posición',
    sampleFailed: 'La grabación no se pudo cargar.',
    whom: 'Para quien lo lee mejor de lo que lo entiende al oído',
    whomText:
      'En papel conoces las palabras. Luego alguien las dice, y se van antes de que las encuentres. Escucho sirve para practicar justo eso: una buena historia de tu nivel, diez minutos cada vez, en el autobús o mientras lavas los platos.',
    title_level: 'De A1 a C2',
    text_level:
      'Dices cuánto entiendes y te mostramos lo que te conviene. Todo lo demás está en el buscador.',
    title_languages: 'Español desde el inglés, inglés desde el español',
    text_languages: 'Las traducciones están en el otro idioma, y todo Escucho está en los dos.',
    title_reading: 'El texto junto a la voz',
    text_reading:
      'La frase que oyes se resalta. Toca otra para oírla y muestra las traducciones cuando las necesites.',
    title_practice: 'Una frase, las veces que quieras',
    text_practice:
      'Repítela, ponla a la mitad de velocidad o deja que la voz espere después de cada frase para decirla tú también.',
    title_devices: 'Donde lo dejaste, en todos tus dispositivos',
    text_devices:
      'Tus posiciones, listas y marcadores son los mismos en el teléfono, la tableta y la computadora.',
    newestEn: 'Novedades en inglés',
    newestEs: 'Novedades en español',
    articles_one: '{n} título hasta ahora',
    articles_other: '{n} títulos hasta ahora',
    plans: 'Lo que cuesta',
    plansText:
      'Sin plan puedes escuchar el artículo más nuevo y uno de tu nivel, las veces que quieras. Con un plan lo tienes todo.',
  },
};
