import {
  type Billing,
  type Branding,
  initialPurchaseState,
  type Package,
  type PurchaseEvent,
  type PurchaseFailure,
  type PurchaseState,
  type PurchasesError,
  type RunningPurchase,
  runPurchase,
} from '@escucho/purchases';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { clock, waitUntilActive } from '#features/subscription/billing.ts';
import { getPlanName } from '#features/subscription/model/plans.ts';
import { billingQuery, managementQuery } from '#features/subscription/queries.ts';
import type { Buyer } from '#features/subscription/subscription.ts';
import { useConfig } from '#shared/config.ts';
import { getT, useT } from '#shared/i18n/i18n.ts';
import { toast } from '#shared/ui/toast.tsx';
import { CardStep } from './card-step.tsx';
import { PricingPanel } from './pricing-panel.tsx';
import { PurchaseModal } from './purchase-modal.tsx';
import { BillingEmailForm, PurchaseError, PurchaseSuccess, Waiting } from './purchase-screens.tsx';

export interface PurchaseFlowProps {
  buyer: Buyer;
  /** Asks the portal whether the subscription is active. */
  refresh: () => Promise<boolean>;
  /** Where the widget is rendered; without one, over the page (BUY-01). */
  target?: HTMLElement | null;
  /** Called when the user returns from a completed purchase, with whether the subscription is active. */
  onPurchased: (isActive: boolean) => void;
  /** Called after back or forward, unless a payment is under way. In a page the widget goes with it. */
  onBack?: () => void;
  /** Renders what is shown while nothing is being bought. */
  children: (buy: (pack: Package) => void) => ReactNode;
}

/** Sells a plan: shows the offer, then the purchase widget, then waits until the portal has activated the plan. */
export function PurchaseFlow({ children, ...props }: PurchaseFlowProps) {
  const { data: billing } = useQuery(billingQuery(props.buyer._id));
  // Stays with the provider of the moment of choosing: a running purchase cannot change it.
  const [order, setOrder] = useState<{ billing: Billing; pack: Package } | null>(null);
  if (!order) return children((pack) => billing && setOrder({ billing, pack }));
  return <PurchaseWidget {...props} {...order} onClose={() => setOrder(null)} />;
}

interface PurchaseWidgetProps extends Omit<PurchaseFlowProps, 'children'> {
  billing: Billing;
  pack: Package;
  onClose: () => void;
}

/** Returns functions that wait until the portal has activated the plan of a completed purchase, and whether the user waits. */
function useActivation({ buyer, refresh, onPurchased, onClose }: PurchaseWidgetProps) {
  const client = useQueryClient();
  const [isLeaving, setLeaving] = useState(false);
  const activation = useRef<Promise<boolean>>(null);

  // Starts once, as soon as the purchase succeeds and before the user leaves its screen.
  const activate = () => {
    activation.current ??= waitUntilActive(refresh);
    return activation.current;
  };

  const finish = async (error: PurchasesError | null) => {
    if (error && error.code !== 'UserCancelledError') console.warn(`Purchase: ${error.message}`);
    if (error !== null && error.code !== 'ProductAlreadyPurchasedError') return onClose();
    setLeaving(true);
    const isActive = await activate();
    // The settings must show the plan before the widget disappears.
    await client.invalidateQueries({ queryKey: managementQuery(buyer._id).queryKey });
    onClose();
    // After the widget: the page under it may change with the subscription.
    void client.invalidateQueries();
    toast(getT()(isActive ? 'subscription.bought' : 'subscription.activating'));
    onPurchased(isActive);
  };

  // The payment goes on without its page.
  const followPayment = async () => {
    if (!(await activate())) return;
    void client.invalidateQueries();
    toast(getT()('subscription.bought'));
  };
  return { isLeaving, activate, finish, followPayment };
}

interface PurchaseOptions {
  billing: Billing;
  pack: Package;
  /** The e-mail for receipts, if it is known. */
  email: string | null;
  /** Counts from 1; another attempt starts another purchase. */
  attempt: number;
  /** Called when the user leaves, with null if the plan was bought. */
  onFinish: (error: PurchasesError | null) => Promise<void>;
}

/** Runs a purchase while its widget is mounted. Returns its state, the seller, and a function that sends it an event. */
function usePurchase({ billing, pack, email, attempt, onFinish }: PurchaseOptions) {
  const [state, setState] = useState<PurchaseState>(initialPurchaseState);
  const [branding, setBranding] = useState<Branding | null>(null);
  const running = useRef<RunningPurchase>(null);
  const handleFinish = useEffectEvent(onFinish);
  const getEmail = useEffectEvent(() => email);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is another purchase
  useEffect(() => {
    setState(initialPurchaseState);
    const purchase = runPurchase({
      billing,
      clock,
      order: { pack, option: pack.product.defaultOption },
      email: getEmail(),
      onState: setState,
      onBranding: setBranding,
      onFinish: (error) => void handleFinish(error),
    });
    running.current = purchase;
    return purchase.stop;
  }, [billing, pack, attempt]);

  return { state, branding, send: (event: PurchaseEvent) => running.current?.send(event) };
}

/** The purchase widget (BUY-01 to BUY-07): a screen for each state of the purchase, beside the product's details. */
function PurchaseWidget(props: PurchaseWidgetProps) {
  const { billing, pack, buyer, target } = props;
  const t = useT();
  const [attempt, setAttempt] = useState(1);
  const [billingEmail, setBillingEmail] = useState(buyer.email);
  const [isConfirming, setConfirming] = useState(false);
  const config = useConfig();
  const { isLeaving, activate, finish, followPayment } = useActivation(props);
  const { state, branding, send } = usePurchase({
    billing,
    pack,
    email: billingEmail,
    attempt,
    onFinish: finish,
  });
  const isPolling = state.at === 'polling-purchase-status';
  const isPaying = isPolling || isConfirming;
  const handleSuccess = useEffectEvent(activate);
  useEffect(() => {
    if (state.at === 'success') void handleSuccess();
  }, [state.at]);
  const handleUnmount = useEffectEvent(() => {
    if (isPaying) void followPayment();
  });
  useEffect(() => () => handleUnmount(), []);

  const { product } = pack;
  const { base } = product.defaultOption;
  const plan = getPlanName(base.period, product.title, t);
  const title = t('checkout.title', { plan });
  const close = () => send({ type: 'closed' });
  const fail = (failure: PurchaseFailure) => send({ type: 'failed', failure });
  const leave = () => send({ type: 'continued' });
  const isOver = state.at === 'success' || state.at === 'error';

  const renderScreen = () => {
    switch (state.at) {
      case 'present-offer':
      case 'loading':
        return <Waiting />;
      case 'needs-auth-info':
      case 'processing-auth-info':
        return (
          <BillingEmailForm
            initial={state.email ?? ''}
            busy={state.at === 'processing-auth-info'}
            onSubmit={(address) => {
              setBillingEmail(address);
              send({ type: 'email-submitted', email: address });
            }}
            onClose={close}
          />
        );
      case 'needs-payment-info':
      case 'polling-purchase-status':
        return (
          <CardStep
            billing={billing}
            card={state.card}
            title="checkout.cardTitle"
            action="checkout.pay"
            busy={isPaying}
            isPolling={isPolling}
            onBusy={setConfirming}
            onConfirmed={() => send({ type: 'card-confirmed' })}
            onFailed={fail}
            onClose={close}
          >
            <p className="-my-2.5 flex flex-wrap items-center justify-between gap-x-3 text-sm text-muted">
              <span className="min-w-0 wrap-anywhere">
                {t('checkout.receiptsTo', { email: state.email })}
              </span>
              <button
                type="button"
                className="link min-h-11"
                aria-label={t('checkout.changeEmail')}
                disabled={isPaying}
                onClick={() => send({ type: 'email-change-requested' })}
              >
                {t('checkout.change')}
              </button>
            </p>
          </CardStep>
        );
      case 'success':
        return <PurchaseSuccess busy={isLeaving} onContinue={leave} />;
      case 'error':
        return (
          <PurchaseError
            failure={state.failure}
            supportEmail={branding?.supportEmail ?? config?.supportEmail ?? null}
            busy={isLeaving}
            onContinue={leave}
            onRetry={() => setAttempt(attempt + 1)}
          />
        );
    }
  };

  const content = (
    <div className="purchase">
      {!isOver && <PricingPanel pack={pack} branding={branding} isSandbox={billing.isSandbox} />}
      <div className="purchase-screen">{renderScreen()}</div>
    </div>
  );
  // In a page the heading names what is bought, and after the purchase the plan.
  if (target)
    return createPortal(
      <>
        <h2 className="font-serif text-lg font-semibold">{state.at === 'success' ? plan : title}</h2>
        {content}
      </>,
      target,
    );
  return (
    <PurchaseModal title={title} isLocked={isPaying} onClose={close} onBack={props.onBack}>
      {content}
    </PurchaseModal>
  );
}
