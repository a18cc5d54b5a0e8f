/**
 * A worker of `testbed run` in a separate process, started by ./run-in-workers.ts: it runs its part
 * of the scenarios against its own testbed, and ends when the channel to the runner closes.
 */
import { launchBrowser } from '#scenarios/harness/launch-browser.ts'
import { type Progress, runScenarios } from '#scenarios/harness/run-scenarios.ts'
import { loadScenarios, selectScenarios } from '#scenarios/harness/select-scenarios.ts'
import { sendToParent, serveParent } from '#testbed/process/serve-parent.ts'
import { startOwnTestbed } from '../start-own-testbed.ts'
import type { WorkerCommand, WorkerMessage, WorkerStart } from './run-in-workers.ts'

await serveParent<WorkerCommand, WorkerStart>('worker_failed', async (start) => {
  const [testbed, scenarios] = await Promise.all([startOwnTestbed(start), loadScenarios()])
  const runById = new Map(selectScenarios(scenarios).map((run) => [run.id, run]))
  const interrupt = new AbortController()
  const asked: ((id: string | undefined) => void)[] = []
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= testbed.close()
    return closing
  }
  const takeNext = async (isExclusive: boolean) => {
    const given = new Promise<string | undefined>((resolve) => asked.push(resolve))
    sendToParent({ kind: 'take', isExclusive } satisfies WorkerMessage)
    const id = await given
    return id === undefined ? undefined : runById.get(id)
  }
  return {
    ready: null,
    run(message) {
      switch (message.command) {
        case 'run': {
          const { executablePath, ...options } = message.order
          return runScenarios({
            ...options,
            runs: [],
            takeNext,
            hasHeadStart: true,
            testbed: testbed.file,
            isOwnTestbed: true,
            launchBrowser: () => launchBrowser({ executablePath }),
            signal: interrupt.signal,
            onProgress: (progress) => sendToParent(withoutImages(progress) satisfies WorkerMessage),
            readTraces: testbed.readTraces,
          }).finally(() => {
            // While the results are on their way. The command `close` reports a failure.
            close().catch(() => {})
          })
        }
        // In the order of the questions, because the channel keeps the order.
        case 'give':
          return asked.shift()?.(message.run)
        case 'interrupt':
          return interrupt.abort(new Error('interrupted'))
        case 'close':
          return close()
      }
    },
  }
})

/** Images are in the results; the progress display does not need them. */
function withoutImages(progress: Progress): Progress {
  if (progress.kind !== 'ended') return progress
  return { kind: 'ended', result: { ...progress.result, attachments: [] } }
}
