import { prerender } from 'react-dom/static';
import { StaticRouter } from 'react-router';
import { App } from '../app/create-app.tsx';
import { publicPages } from '../app/public-pages.ts';
import { type Language, languages } from '../shared/choices.ts';
import { getT, showLanguage } from '../shared/i18n/i18n.ts';

/** A public page in one language. */
export interface PrerenderedPage {
  path: string;
  language: Language;
  isIndexed: boolean;
  title: string;
  description: string;
  /** The content of the root element. */
  html: string;
}

async function renderApp(path: string): Promise<string> {
  const { prelude } = await prerender(
    <StaticRouter location={path}>
      <App />
    </StaticRouter>,
    // Else parts of a long page would be moved into place by inline scripts.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  return new Response(prelude).text();
}

/** Renders the public pages in every language. Runs at build time, in Node. */
export async function renderPages(): Promise<PrerenderedPage[]> {
  const pages: PrerenderedPage[] = [];
  for (const language of languages) {
    await showLanguage(language);
    for (const { path, title, description, isIndexed } of publicPages) {
      // The texts are loaded along with the page.
      const html = await renderApp(path);
      const t = getT();
      pages.push({
        path,
        language,
        isIndexed,
        title: `${t(title)} · ${t('common.appName')}`,
        description: t(description),
        html,
      });
    }
  }
  return pages;
}
