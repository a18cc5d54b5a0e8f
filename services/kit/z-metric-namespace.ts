import { z } from 'zod'

/**
 * METRIC_NAMESPACE, a prefix that makes a metric's name with what comes after it (Prometheus data
 * model): a service started with any other one could not make its metrics.
 */
export const zMetricNamespace = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { message: 'letters, digits and _ alone, no digit first' })
  .describe("Prefix of the metrics' names")
