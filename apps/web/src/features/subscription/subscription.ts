export { SubscribeModal } from './components/subscribe-modal.tsx';
export {
  closeSubscribeModal,
  isSubscribed,
  openSubscribeModal,
  setSubscription,
  useIsLocked,
} from './store.ts';
