import { expect, it } from 'vitest'
import { createMetrics } from '#kit/metrics.ts'
import { installMovableClock } from '#testbed/clock.ts'

it('is not stopped by a clock that is moved by years', async () => {
  const clock = installMovableClock()
  try {
    const { registry } = createMetrics('moved')
    clock.advance(1000 * 365 * 86_400)
    const began = performance.now()
    expect(await registry.metrics()).toContain('moved_nodejs_eventloop_utilization')
    // A window of a minute that is moved on step by step takes some seconds for 20 years.
    expect(performance.now() - began).toBeLessThan(10_000)
  } finally {
    clock.uninstall()
  }
})
