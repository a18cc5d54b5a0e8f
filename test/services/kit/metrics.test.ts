import { expect, it } from 'vitest'
import { createMetrics } from '#kit/metrics.ts'
import { installMovableClock } from '#testbed/clock.ts'

it('is not stopped by a clock that is moved by years', async () => {
  const clock = installMovableClock()
  try {
    const { registry } = createMetrics('moved')
    clock.advance(20 * 365 * 86_400)
    const began = performance.now()
    expect(await registry.metrics()).toContain('moved_nodejs_eventloop_utilization')
    // It was some seconds for a window of a minute that is moved on step by step.
    expect(performance.now() - began).toBeLessThan(1000)
  } finally {
    clock.uninstall()
  }
})
