import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'

export interface Metrics {
  readonly registry: Registry
  observe(method: string, route: string, status: number, milliseconds: number): void
}

/**
 * Creates a metrics registry per service instead of the global one, since several services share a
 * process.
 * `namespace` prefixes the names (METRIC_NAMESPACE in the profile).
 */
export function createMetrics(namespace: string): Metrics {
  const registry = new Registry()
  const prefix = `${namespace}_`
  collectDefaultMetrics({
    register: registry,
    prefix,
    eventLoopMonitoringPrecision: 1000,
    eventLoopUtilizationTimeout: 1000,
    // Over the service's lifetime: if the clock moves by a year, a sliding window advances in small
    // steps and blocks everything for a second. The histogram shows recent values.
    eventLoopUtilizationMaxAgeSeconds: 0,
    eventLoopUtilizationAgeBuckets: 1,
  })
  const labelNames = ['method', 'route', 'status'] as const
  const requests = new Counter({
    name: `${prefix}http_requests_total`,
    help: 'Answered HTTP requests',
    labelNames,
    registers: [registry],
  })
  const durations = new Histogram({
    name: `${prefix}http_request_duration_seconds`,
    help: 'Time from the arrival of a request to the end of its response',
    labelNames,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers: [registry],
  })
  return {
    registry,
    observe(method, route, status, milliseconds) {
      const labels = { method, route, status: String(status) }
      requests.inc(labels)
      durations.observe(labels, milliseconds / 1000)
    },
  }
}
