export { SubscribeModal } from './components/subscribe-modal.tsx';
export {
  isSubscribed,
  openSubscribeModal,
  setSubscription,
  useIsLocked,
} from './store.ts';
