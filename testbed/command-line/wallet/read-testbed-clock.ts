import type { TestbedFile } from '#scenarios/harness/z-testbed-file.ts'

/**
 * The clock of a running testbed, which may have been moved: Unix seconds. Without a testbed, or
 * where it does not answer, the machine's own.
 */
export async function readTestbedClock(testbed: TestbedFile | undefined): Promise<() => number> {
  const machine = () => Date.now() / 1000
  const offset = testbed ? (await askForTime(testbed).catch(machine)) - machine() : 0
  return () => Math.floor(machine() + offset)
}

async function askForTime({ control }: TestbedFile): Promise<number> {
  const response = await fetch(`${control.url}/clock`, {
    headers: { authorization: `Bearer ${control.token}`, 'user-agent': 'lear-testbed/wallet' },
    signal: AbortSignal.timeout(2000),
    redirect: 'error',
  })
  const { now } = (await response.json()) as { now?: unknown }
  if (typeof now !== 'number') throw new TypeError('the control interface tells no time')
  // It tells whole seconds: without the half the moved clock would lag on average.
  return Number.isInteger(now) ? now + 0.5 : now
}
