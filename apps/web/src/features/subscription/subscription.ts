export { SubscribeModal } from './components/subscribe-modal.tsx';
export {
  closeSubscribe,
  isSubscribed,
  openSubscribe,
  setSubscription,
  useAsked,
  useIsLocked,
} from './store.ts';
