import { Amplify } from 'aws-amplify';
import * as auth from 'aws-amplify/auth';

declare global {
  interface Window {
    amplify: { Amplify: typeof Amplify; auth: typeof auth };
  }
}

window.amplify = { Amplify, auth };
