import { describe, expect, it } from 'vitest';
import { getPackageType, joinOfferings, listProductIds, parsePeriod } from './offerings.ts';
import { offeringsJson, productsJson } from './testing/fake-provider.ts';
import { offeringsResponse, productsResponse } from './wire.ts';

const [yearly, half, monthly] = productsJson.product_details;
const join = (offerings: unknown, products: unknown) =>
  joinOfferings(offeringsResponse.parse(offerings), productsResponse.parse({ product_details: products }));

describe('[SUB-01] offerings are joined with their products', () => {
  it('have plans with price, period and trial, in the order of the provider', () => {
    const { current, all } = join(offeringsJson, productsJson.product_details);
    expect(all).toHaveLength(1);
    expect(
      current?.packages.map(({ type, offering, product }) => [
        type,
        offering,
        product.defaultOption.base.price.amount,
        product.defaultOption.base.period,
        product.defaultOption.trial?.period,
      ]),
    ).toEqual([
      ['annual', 'default', 2700, { number: 1, unit: 'year' }, { number: 3, unit: 'day' }],
      ['six month', 'default', 1500, { number: 6, unit: 'month' }, { number: 3, unit: 'day' }],
      ['monthly', 'default', 300, { number: 1, unit: 'month' }, { number: 3, unit: 'day' }],
    ]);
  });

  it.each([
    ['is missing', []],
    ['has no default option', [{ ...yearly, default_subscription_option_id: null }]],
    ['names a missing default option', [{ ...yearly, default_subscription_option_id: 'gone' }]],
    [
      'has no price',
      [
        {
          ...yearly,
          subscription_options: {
            trial: { id: 'trial', base: { period_duration: 'P1Y', cycle_count: 1, price: null } },
          },
        },
      ],
    ],
    [
      'has no base',
      [{ ...yearly, subscription_options: { trial: { id: 'trial', base: null, trial: null } } }],
    ],
  ])('omits a package whose product %s', (_, products) => {
    const { current } = join(offeringsJson, [...products, half]);
    expect(current?.packages.map(({ type }) => type)).toEqual(['six month']);
  });

  it('omits an offering without packages; then none is current', () => {
    expect(join(offeringsJson, [])).toEqual({ all: [], current: null });
  });

  it('has no current offering when the provider names an unknown one', () => {
    const { all, current } = join({ ...offeringsJson, current_offering_id: 'other' }, [monthly]);
    expect([all.length, current]).toEqual([1, null]);
  });

  it('uses the last of two products with one id, and requests each id once', () => {
    const cheaper = structuredClone(monthly);
    if (cheaper) cheaper.subscription_options.trial.base.price.amount = 100;
    const { current } = join(offeringsJson, [monthly, cheaper]);
    expect(current?.packages[0]?.product.defaultOption.base.price.amount).toBe(100);
    const twice = { ...offeringsJson, offerings: [...offeringsJson.offerings, ...offeringsJson.offerings] };
    expect(listProductIds(offeringsResponse.parse(twice))).toEqual(['yearly', 'half', 'monthly']);
  });
});

it.each([
  ['$rc_lifetime', 'lifetime'],
  ['$rc_annual', 'annual'],
  ['$rc_six_month', 'six month'],
  ['$rc_three_month', 'three month'],
  ['$rc_two_month', 'two month'],
  ['$rc_monthly', 'monthly'],
  ['$rc_weekly', 'weekly'],
  ['$rc_fortnight', 'unknown'],
  ['students', 'custom'],
])('the package %s has the type %s', (identifier, type) => {
  expect(getPackageType(identifier)).toBe(type);
});

it.each([
  ['P1Y', { number: 1, unit: 'year' }],
  ['P6M', { number: 6, unit: 'month' }],
  ['P2W', { number: 2, unit: 'week' }],
  ['P3D', { number: 3, unit: 'day' }],
  ['PT10D', { number: 10, unit: 'day' }],
  ['P1Y6M', null],
  ['P1H', null],
  ['1M', null],
  ['PXM', null],
  ['', null],
  [null, null],
])('[BUY-05] parses the period %j as %j', (text, period) => {
  expect(parsePeriod(text)).toEqual(period);
});
