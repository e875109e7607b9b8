import type * as z from 'zod/mini';
import { type Fault, faults } from '../faults.ts';

type Issue = z.core.$ZodIssue;

/** What a path of an issue leads to in the body, through own properties only. */
export function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? Reflect.get(value, step)
        : undefined,
    body,
  );
}

/** A path in Cognito's spelling: `userAttributes.1.member.name`. */
function spell(path: readonly PropertyKey[]): string {
  return path
    .map((step) => {
      if (typeof step === 'number') return `${step + 1}.member`;
      const name = String(step);
      return name === name.toUpperCase() ? name : name.charAt(0).toLowerCase() + name.slice(1);
    })
    .join('.');
}

function constraint(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return 'Member must not be null';
    case 'too_small':
      return `Member must have length greater than or equal to ${issue.minimum}`;
    case 'too_big':
      return `Member must have length less than or equal to ${issue.maximum}`;
    case 'invalid_value':
      return `Member must satisfy enum value set: [${issue.values.map(String).join(', ')}]`;
    case 'invalid_format':
      return `Member must satisfy regular expression pattern: ${issue.pattern ?? ''}`;
    default:
      return 'Member is not valid';
  }
}

/** The refusal for a body that is not as it should be: of another shape, or against a member's constraint. */
function refusal(body: unknown, issues: readonly Issue[]): Fault {
  const wrongShape = issues.some((issue) => {
    const value = valueAt(body, issue.path);
    if (issue.code === 'invalid_value') return value != null && typeof value !== 'string';
    return issue.code === 'invalid_type' ? issue.path.length === 0 || value != null : false;
  });
  if (wrongShape) return faults.unreadable();
  return faults.constraints(
    issues.map((issue) => {
      const missing = valueAt(body, issue.path) == null;
      const why = missing ? 'Member must not be null' : constraint(issue);
      return `Value at '${spell(issue.path)}' failed to satisfy constraint: ${why}`;
    }),
  );
}

/** Reads a body by a schema. Throws the refusal; it never repeats what was sent. */
export function readBody<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (!result.success) throw refusal(body, result.error.issues);
  return result.data;
}

/** A parameter of a map that the flow cannot do without; only the map's own are looked at. */
export function required(
  map: Record<string, string | null | undefined> | null | undefined,
  name: string,
): string {
  const value = map && Object.hasOwn(map, name) ? map[name] : undefined;
  if (value == null || value === '') throw faults.parameterMissing(name);
  return value;
}
