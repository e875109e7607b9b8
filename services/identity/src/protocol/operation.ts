import type * as z from 'zod/mini';
import type { Caller } from '../caller.ts';
import { type CognitoError, cognitoErrors } from '../errors.ts';

/** An operation of the JSON protocol. Throws CognitoError. */
export type Operation = (body: unknown, caller: Caller) => Promise<object>;

type Handler<Input> = (input: Input, caller: Caller) => Promise<object>;

/** Creates an operation of the protocol whose body is validated against a schema. */
export function createOperation<Input>(schema: z.ZodMiniType<Input>, handle: Handler<Input>): Operation {
  return async (body, caller) => handle(parseBody(schema, body), caller);
}

/** Returns a function that creates operations which require the id of the pool's client. */
export function createClientOperations(clientId: string) {
  return <Input extends { ClientId: string }>(
    schema: z.ZodMiniType<Input>,
    handle: Handler<Input>,
  ): Operation =>
    createOperation(schema, async (input, caller) => {
      if (input.ClientId !== clientId) throw cognitoErrors.clientNotFound(input.ClientId);
      return handle(input, caller);
    });
}

/** Runs a task, or throws TooManyRequestsException. */
export type ConcurrencyLimiter = <T>(task: () => Promise<T>) => Promise<T>;

/**
 * Limits how many tasks run at once. SRP computes on the event loop: a task beyond the limit is refused at once rather
 * than queued behind requests whose clients have given up.
 */
export function createConcurrencyLimiter(maxTasks: number): ConcurrencyLimiter {
  let running = 0;
  return async (task) => {
    if (running >= maxTasks) throw cognitoErrors.tooManyRequests();
    running += 1;
    try {
      return await task();
    } finally {
      running -= 1;
    }
  };
}

type Issue = z.core.$ZodIssue;

/** Returns the value at a path of a body, through own properties only. */
export function getValueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? Reflect.get(value, step)
        : undefined,
    body,
  );
}

// The message is also sent as a header, whose length clients limit.
const MAX_VIOLATIONS = 10;
const MAX_PATH_LENGTH = 128;

/** Formats a path as Cognito does: `userAttributes.1.member.name`. */
function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step) => {
      if (typeof step === 'number') return `${step + 1}.member`;
      const name = String(step);
      return name === name.toUpperCase() ? name : name.charAt(0).toLowerCase() + name.slice(1);
    })
    .join('.')
    .slice(0, MAX_PATH_LENGTH);
}

function formatConstraint(issue: Issue): string {
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

function toValidationError(body: unknown, issues: readonly Issue[]): CognitoError {
  const hasWrongType = issues.some((issue) => {
    const value = getValueAt(body, issue.path);
    if (issue.code === 'invalid_value') return value != null && typeof value !== 'string';
    return issue.code === 'invalid_type' ? issue.path.length === 0 || value != null : false;
  });
  if (hasWrongType) return cognitoErrors.malformedBody();
  return cognitoErrors.constraintViolations(
    issues.slice(0, MAX_VIOLATIONS).map((issue) => {
      const isMissing = getValueAt(body, issue.path) == null;
      const constraint = isMissing ? 'Member must not be null' : formatConstraint(issue);
      return `Value at '${formatPath(issue.path)}' failed to satisfy constraint: ${constraint}`;
    }),
  );
}

/** Parses a body by a schema. Throws an error that does not repeat the input. */
export function parseBody<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  const result = schema.safeParse(body);
  if (!result.success) throw toValidationError(body, result.error.issues);
  return result.data;
}

/** Returns an own, non-empty parameter of a map. Throws where it is missing. */
export function requireParameter(
  parameters: Record<string, string | null | undefined> | null | undefined,
  name: string,
): string {
  const value = parameters && Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (value == null || value === '') throw cognitoErrors.missingParameter(name);
  return value;
}
