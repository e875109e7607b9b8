export { type OperatorsOptions, operators } from './operators.ts';
