import * as z from 'zod/mini';

// The provider's responses, with the fields that the client reads.

const text = z.nullable(z.string());
const optionalText = z.optional(text);

/** An object of values by id. Zod's own record would add to the bundle that every page loads. */
const map = <Value extends z.ZodMiniType>(value: Value) => z.catchall(z.object({}), value);

export const offeringsResponse = z.object({
  current_offering_id: text,
  offerings: z.array(
    z.object({
      identifier: z.string(),
      description: z.string(),
      metadata: z.optional(z.nullable(map(z.unknown()))),
      packages: z.array(z.object({ identifier: z.string(), platform_product_identifier: z.string() })),
    }),
  ),
});

const phase = z.object({
  period_duration: text,
  cycle_count: z.number(),
  price: z.nullable(z.object({ amount: z.number(), currency: z.string() })),
});

export const productsResponse = z.object({
  product_details: z.array(
    z.object({
      identifier: z.string(),
      title: z.string(),
      description: optionalText,
      default_subscription_option_id: text,
      subscription_options: map(
        z.object({ id: z.string(), base: z.nullable(phase), trial: z.optional(z.nullable(phase)) }),
      ),
    }),
  ),
});

export const subscriberResponse = z.object({
  request_date: z.string(),
  subscriber: z.object({
    first_seen: z.string(),
    original_app_user_id: z.string(),
    original_purchase_date: optionalText,
    management_url: optionalText,
    entitlements: map(
      z.object({ expires_date: optionalText, purchase_date: z.string(), product_identifier: z.string() }),
    ),
    subscriptions: map(
      z.object({
        expires_date: optionalText,
        billing_issues_detected_at: optionalText,
        unsubscribe_detected_at: optionalText,
        is_sandbox: z.boolean(),
        period_type: z.string(),
        store: z.string(),
      }),
    ),
    non_subscriptions: map(
      z.array(z.object({ is_sandbox: z.boolean(), original_purchase_date: z.string(), store: z.string() })),
    ),
  }),
});

export const brandingResponse = z.object({
  app_icon: optionalText,
  app_icon_webp: optionalText,
  seller_company_name: optionalText,
  seller_company_support_email: optionalText,
});

export const subscribeResponse = z.object({
  operation_session_id: z.string(),
  next_action: z.string(),
  data: z.optional(
    z.nullable(
      z.object({
        client_secret: optionalText,
        publishable_api_key: optionalText,
        stripe_account_id: optionalText,
      }),
    ),
  ),
});

export const checkoutResponse = z.object({
  operation: z.object({
    status: z.enum(['started', 'in_progress', 'succeeded', 'failed']),
    error: z.optional(z.nullable(z.object({ code: z.optional(z.nullable(z.number())) }))),
  }),
});

export type OfferingsResponse = z.output<typeof offeringsResponse>;
export type ProductsResponse = z.output<typeof productsResponse>;
export type SubscriberResponse = z.output<typeof subscriberResponse>;
export type SubscribeResponse = z.output<typeof subscribeResponse>;
