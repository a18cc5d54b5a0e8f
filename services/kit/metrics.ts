import { createRequire } from 'node:module'
import type * as Client from '@prometheus-io/client'

const require = createRequire(import.meta.url)
// The package's main module also loads OpenTelemetry.
const load = <Name extends 'Counter' | 'Histogram' | 'Registry'>(name: Name) =>
  require(`@prometheus-io/client/lib/${name.toLowerCase()}.js`) as (typeof Client)[Name]
const Counter = load('Counter')
const Histogram = load('Histogram')
const Registry = load('Registry')

export interface Metrics {
  observe(method: string, route: string, status: number, milliseconds: number): void
  /** Metrics in the text format; those of the process are observed from the first call on. */
  read(): Promise<{ readonly contentType: string; readonly text: string }>
}

/**
 * Creates a metrics registry per service instead of the global one, since several services share a
 * process.
 * `namespace` prefixes the names (METRIC_NAMESPACE in the profile).
 */
export function createMetrics(namespace: string): Metrics {
  const registry = new Registry()
  const prefix = `${namespace}_`
  let observing: Promise<void> | undefined
  const observeProcess = async () => {
    const { collectDefaultMetrics } = await import('@prometheus-io/client')
    collectDefaultMetrics({
      register: registry,
      prefix,
      eventLoopMonitoringPrecision: 1000,
      eventLoopUtilizationTimeout: 1000,
      // Over the whole time: if the clock moves by a year, a sliding window advances in small
      // steps and blocks everything for a second. The histogram shows recent values.
      eventLoopUtilizationMaxAgeSeconds: 0,
      eventLoopUtilizationAgeBuckets: 1,
    })
  }
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
    observe(method, route, status, milliseconds) {
      const labels = { method, route, status: String(status) }
      requests.inc(labels)
      durations.observe(labels, milliseconds / 1000)
    },
    async read() {
      observing ??= observeProcess()
      await observing
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
