export * as subscribers from './endpoints/subscribers.ts';
