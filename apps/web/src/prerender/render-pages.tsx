import { prerender } from 'react-dom/static';
import { App } from '../app/create-app.tsx';
import { type Language, languages } from '../shared/choices.ts';
import { formatPageTitle } from '../shared/document.ts';
import { getT, showLanguage } from '../shared/i18n/i18n.ts';
import { LocationProvider, toStaticLocation } from '../shared/location.tsx';
import { type PublicPage, publicPages } from './pages.ts';

/** A public page in one language. */
export interface PrerenderedPage extends Omit<PublicPage, 'title' | 'description'> {
  language: Language;
  title: string;
  description: string;
  /** The content of the root element. */
  html: string;
}

async function renderApp(path: string): Promise<string> {
  const { prelude } = await prerender(
    <LocationProvider location={toStaticLocation(path)}>
      <App />
    </LocationProvider>,
    // Else parts of a long page would be moved into place by inline scripts.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}

/** Renders the public pages in every language. */
export async function renderPages(): Promise<PrerenderedPage[]> {
  const pages: PrerenderedPage[] = [];
  for (const language of languages) {
    await showLanguage(language);
    for (const page of publicPages) {
      // The texts are loaded along with the page.
      const html = await renderApp(page.path);
      const t = getT();
      const title = formatPageTitle(t, t(page.title));
      pages.push({ ...page, language, title, description: t(page.description), html });
    }
  }
  return pages;
}
