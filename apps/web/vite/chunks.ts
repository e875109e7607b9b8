/** What every page needs and hardly ever changes. */
const vendor = /node_modules\/(react|react-dom|scheduler|react-router|zustand|clsx|zod)\/|rolldown\/runtime/;

const base = [
  /\/packages\/contracts\/src\/(?!forms?[-.]|money|identity-api|playlist-name|messages\/(?!errors-en)|endpoints\/(?!auth|catalogue|listening)|entities\/(?!playlist|progress|track|user))/,
  /\/src\/app\/(app|create-app|auth-redirects|error-boundary|shell\/use-|shell\/(language-switch|offline-banner)|layouts\/guard)/,
  /\/src\/features\/session\/(runner|session|store|tokens|model\/(session-machine|stored-tokens))\.ts$/,
  /\/src\/shared\/(?!api\/stream|i18n\/messages|pagination|ui|use-)/,
  /\/src\/shared\/i18n\/messages\/en\/app\.ts$/,
  /\/src\/shared\/ui\/(button|cn|icon-button|logo|menu|spinner|toast|toasts)\.tsx?$/,
  /\/lucide-react\/dist\/esm\/(?!icons)/,
];

/** What every page with lists needs, as most have. */
const lists = [
  /node_modules\/@tanstack\/(?!.*infinite)/i,
  /\/src\/app\/pages\/missing\.ts$/,
  /\/src\/shared\/ui\/(undo-notice|skeleton|states)\.tsx$/,
  /\/lucide-react\/dist\/esm\/icons\/(undo-2|book-image|play|pause|lock-keyhole|chevron-(left|right))\./,
  /\/src\/features\/player\/(player|engine\/(events|position-source|store)|sync\/progress-storage|model\/(continue-listening|state|stored|unsent))\.ts$/,
  /\/src\/features\/(subscription\/store|catalogue\/discover-cache)\.ts$/,
];

/** What the pages of playlists share. */
const playlists = [
  /\/packages\/contracts\/src\/endpoints\/(playlists|favourites)\.ts$/,
  /\/src\/features\/playlists\/(queries|mutations|favourites|components\/playlist-cover)\.tsx?$/,
  /\/lucide-react\/dist\/esm\/icons\/list-music\./,
];

/** What every page with a form needs. */
const forms = [
  /\/packages\/contracts\/src\/(forms|messages\/validation-en)\.ts$/,
  /\/src\/shared\/(use-form|ui\/field)\.tsx?$/,
  /\/src\/features\/session\/(sign-in|components\/form-fields|model\/error-text)\.tsx?$/,
  /\/lucide-react\/dist\/esm\/icons\/eye(-off)?\./,
];

/** What the auth pages share beside their forms. */
const auth = [
  /\/packages\/contracts\/src\/entities\/operators\.ts$/,
  /\/src\/app\/pages\/auth\/auth-card\.tsx$/,
  /\/src\/features\/session\/model\/oauth\.ts$/,
];

const anyOf = (patterns: readonly RegExp[]) => (id: string) => patterns.some((pattern) => pattern.test(id));

/**
 * Code that many pages share goes into a few files, not twenty: together they are smaller by a tenth, and every
 * file is a request. Whatever no line names is cut as the bundler sees fit.
 */
export const chunks = [
  { name: 'vendor', test: vendor, priority: 2 },
  { name: 'base', test: anyOf(base), priority: 1 },
  { name: 'lists', test: anyOf(lists), priority: 0 },
  // What a group needs comes with it: these are needed without the rest, too.
  { name: 'playlist-name', test: /\/contracts\/src\/playlist-name\.ts$/, priority: 1 },
  {
    name: 'pages',
    test: /\/src\/shared\/(pagination|use-serial-mutation)\.ts$|\/(infiniteQueryOptions|useMutation|mutationObserver)\./,
    priority: 1,
  },
  { name: 'playlists', test: anyOf(playlists), priority: 0 },
  { name: 'forms', test: anyOf(forms), priority: 0 },
  { name: 'auth', test: anyOf(auth), priority: 0 },
];
