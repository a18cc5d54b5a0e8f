import { Counter, collectDefaultMetrics, Histogram, Registry } from '@prometheus-io/client'

export interface Metrics {
  readonly registry: Registry
  observe(method: string, route: string, status: number, milliseconds: number): void
}

/**
 * One metrics registry a service, never the global one: several services share a process.
 * Names are prefixed by `namespace` (the profile: METRIC_NAMESPACE).
 */
export function createMetrics(namespace: string): Metrics {
  const registry = new Registry()
  const prefix = `${namespace}_`
  collectDefaultMetrics({
    register: registry,
    prefix,
    eventLoopMonitoringPrecision: 1000,
    eventLoopUtilizationTimeout: 1000,
    // Over the service's life: a window would be moved on in small steps when the clock is moved,
    // which stops everything for a second after a year. The histogram of the same tells the latest.
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
    help: 'Time from the arrival of a request to the end of its answer',
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
