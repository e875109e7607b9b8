import type { Offering, Package } from '@escucho/purchases';

/** A plan on offer (section 9): `saves` per cent against paying monthly, null where nothing is said of it. */
export interface Plan {
  id: 'yearly' | 'sixMonth' | 'monthly';
  pack: Package;
  saves: number | null;
}

const plans = [
  { id: 'yearly', type: 'annual', saves: 30 },
  { id: 'sixMonth', type: 'six month', saves: 16 },
  { id: 'monthly', type: 'monthly', saves: null },
] as const;

/** The plans of an offering in the order of section 9: yearly, six-month, monthly (SUB-01). */
export function plansOf(offering: Offering | null): readonly Plan[] {
  return plans.flatMap(({ id, type, saves }) => {
    const pack = offering?.packages.find((each) => each.type === type);
    return pack ? [{ id, pack, saves }] : [];
  });
}
