// Preloaded into a product: appends the statements of its API to the file RECORDED_QUERIES, one JSON object per line.
import { appendFileSync } from 'node:fs';
import pg from 'pg';

const { query } = pg.Client.prototype;
const pools = ['portal', 'portal search'];

pg.Client.prototype.query = function record(config, ...rest) {
  if (typeof config === 'object' && pools.includes(this.connectionParameters.application_name)) {
    const { text, values = [], name } = config;
    appendFileSync(process.env.RECORDED_QUERIES, `${JSON.stringify({ text, values, name })}\n`);
  }
  return query.call(this, config, ...rest);
};
