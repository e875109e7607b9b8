import { api } from '@escucho/contracts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createArticle, saveArticles } from '../testing/library.ts';
import { startPortal } from '../testing/portal.ts';

const { call, createUser, db, articleId } = await startPortal();
const { token } = await createUser();

type ArticleText = [language: 'en' | 'es', title: string, narrator: string, topic: string, text: string[]];
const articles: Record<string, ArticleText> = {
  giraffe: [
    'en',
    'The giraffe who walked to Paris',
    'Grace',
    'history',
    ['A ship brought her to Marseille.', 'The king of France sent cows.', 'Hassan walked beside her.'],
  ],
  otter: [
    'en',
    "The otter's pocket",
    'Grace',
    'nature',
    ['Why do otters hold stones?', 'They have a pocket under each arm.', 'Pockets are little bags of skin.'],
  ],
  coffee: [
    'en',
    'Is there any coffee left?',
    'Tom',
    'technology',
    ['The scientists were tired of stairs.', 'They pointed a camera at the pot.', 'It was the first webcam.'],
  ],
  train: [
    'en',
    'The wrong half of the train',
    'Amelia',
    'travel',
    ['Some trains are really two trains.', 'She slept on the way to the museums.', 'A village choir waited.'],
  ],
  piano: [
    'en',
    'The piano upstairs',
    'Amelia',
    'letters',
    ['Dear neighbour, your song stops at the same place.', 'Two low notes come through the ceiling.'],
  ],
  gerald: [
    'en',
    'Please feed Gerald',
    'Tom',
    'food',
    ['Gerald is a sourdough starter in a jar.', 'He needs flour.', 'Bakers invited him to Belgium.'],
  ],
  barco: [
    'es',
    'El barco que subió la montaña',
    'Diego',
    'historia',
    ['El Yavari llegó al lago Titicaca en piezas.', 'Funcionaba con estiércol de llama.'],
  ],
  gallo: [
    'es',
    'El gallo de la azotea',
    'Diego',
    'vida',
    [
      'Los vecinos quieren dormir.',
      'Ramón canta en una azotea de Oaxaca.',
      'Doña Chela dice que está enfermo.',
    ],
  ],
  luna: [
    'es',
    'La luna en el balde',
    'Carmen',
    'cuentos',
    ['La niña puso un balde en la cocina.', 'El perro bebió la luna.', 'La abuela Justa vio dos lunas.'],
  ],
  novela: [
    'es',
    'Una novela malísima',
    'Carmen',
    'libros',
    ['La vendedora lo veía cada viernes.', 'Don Aurelio pedía la misma novela.', 'Tomaron dos tazas de té.'],
  ],
  niebla: [
    'es',
    'Beber la niebla',
    'Lucía',
    'ciencia',
    [
      'Lima está en un desierto.',
      'Se puede atrapar niebla con redes de plástico.',
      'Pescar agua no es fácil.',
    ],
  ],
  viaje: ['es', 'Un gran viaje', 'Carmen', 'viajes', ['Todo empezó en una estación.']],
  maiz: ['es', 'El maíz', 'Carmen', 'comida', ['Hay un color para cada grano.']],
  pez: ['es', 'El pez de colores', 'Carmen', 'naturaleza', ['Las luces del puerto se apagan.']],
  abuela: [
    'es',
    'Siete minutos de abuela',
    'Lucía',
    'familia',
    [
      'La abuela graba audios largos.',
      'Sus mensajes de voz llegan desde Chiloé.',
      'Se oye la lluvia en el techo.',
    ],
  ],
};

beforeAll(async () => {
  const contents = Object.entries(articles).map(([slug, [language, title, name, topic, text]]) =>
    createArticle(slug, {
      language,
      title,
      topic,
      summary: title,
      translationLanguage: null,
      narrator: { name, image: null },
      sentences: text.map((line, index) => ({
        text: line,
        translation: null,
        start: index * 2,
        end: index * 2 + 1,
        paragraph: 0,
      })),
    }),
  );
  await saveArticles(db, contents);
});

describe('[CAT-03] ranking', () => {
  it.each([
    ['a word of the title', 'giraffe', 'giraffe'],
    ['a word in the other language', 'gallo', 'gallo'],
    ['the beginning of a word', 'giraf', 'giraffe'],
    ['the beginning of a title', 'is there any', 'coffee'],
    ['the beginning of a title whose last word is unfinished', 'beber la ni', 'niebla'],
    ['words in another order', 'train half', 'train'],
    ['words without those between them', 'abuela minutos', 'abuela'],
    ['words without accents', 'montana barco', 'barco'],
    ['a word without accents in the text', 'estiercol de llama', 'barco'],
    ['a name without accents', 'chiloe', 'abuela'],
    ['a word without its apostrophe', 'otters pocket', 'otter'],
    ['upper case', 'NIEBLA BEBER', 'niebla'],
    ['swapped letters', 'girrafe', 'giraffe'],
    ['a missing letter', 'oter', 'otter'],
    ['a misspelled word of the text', 'sourdogh starter', 'gerald'],
    ['a misspelled word next to a correct one', 'wrong trian', 'train'],
    ['a word spelled by its sound', 'el gayo de la azotea', 'gallo'],
    ['several misspelled words', 'piano upstars', 'piano'],
    ['a plural', 'giraffes', 'giraffe'],
    ['a plural in Spanish', 'novelas', 'novela'],
    ['a plural in Spanish that has c for z', 'peces', 'pez'],
    ['a singular in Spanish of a word in the text that has c for z', 'luz', 'pez'],
    ['a singular of a word in the text', 'otter stone', 'otter'],
    ['a narrator with a subject', 'tom coffee', 'coffee'],
    ['a subject with a narrator in Spanish', 'luna carmen', 'luna'],
    ['words of the text only', 'bakers invited to belgium', 'gerald'],
    ['words of the text only, in Spanish', 'pescar agua', 'niebla'],
    ['a remembered phrase', 'a pocket under each arm', 'otter'],
    ['a remembered phrase in Spanish', 'los vecinos quieren dormir', 'gallo'],
    ['a remembered phrase without accents', 'el perro bebio la luna', 'luna'],
    ['a phrase with a wrong word', 'some trains are really three trains', 'train'],
    ['a name in the text', 'don aurelio', 'novela'],
  ])('puts the expected article first for %s: %s', async (_name, q, slug) => {
    const { docs } = await call(api.catalogue.search, token, { query: { q } });
    expect(docs[0]?.track._id).toBe(articleId(slug));
  });

  it('ranks a title above a text', async () => {
    const { docs } = await call(api.catalogue.search, token, { query: { q: 'abuela' } });
    expect(docs.map(({ track }) => track._id)).toEqual(['abuela', 'luna'].map(articleId));
  });

  it('ranks a word of a text above another word of the same stem in a title', async () => {
    const { docs } = await call(api.catalogue.search, token, { query: { q: 'grano' } });
    expect(docs.map(({ track }) => track._id)).toEqual(['maiz', 'viaje'].map(articleId));
  });

  it('does not search translations', async () => {
    const { docs } = await call(api.catalogue.search, token, { query: { q: 'nutria' } });
    expect(docs).toEqual([]);
  });
});
