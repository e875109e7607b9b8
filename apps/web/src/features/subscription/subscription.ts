export { SubscribeModal } from './components/subscribe-modal.tsx';
export { isSubscribed, openSubscribe, setSubscription, useSubscription } from './store.ts';
