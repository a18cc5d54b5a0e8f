import { randomUUID } from 'node:crypto'
import { isTestbedError, TestbedError } from '#core/errors/testbed-error.ts'
import { withRequestContext } from '#kit/request-context.ts'
import type { Hop } from '#kit/traces.ts'
import type { RunningEnvironment } from '#testbed/services/start-environment.ts'
import type { ConsoleWallet } from '../wallets/console-wallets.ts'
import {
  runningOf,
  stepActions,
  type Tour,
  type TourState,
  type TourStep,
  type ToursOptions,
  tagOf,
  tourSteps,
} from './tour-steps.ts'

/** The tours of the console: at most 5, each with a wallet. */
export interface Tours {
  /** Ends the oldest tour, with its wallet, if there are five. */
  start(running: RunningEnvironment): Tour
  /** @throws TestbedError `unknown_tour` (404) */
  find(id: string): Tour
  /** Ends a tour and deletes its wallet. */
  end(id: string): void
  /**
   * Does a step in the real components. A step that is done is not repeated.
   * @throws TestbedError `step_too_early`, `login_rejected`, `login_accepted` (409), or the error of
   *   a part as 409
   */
  perform(id: string, step: TourStep): Promise<Tour>
  walletOf(tour: Tour): ConsoleWallet | undefined
  /** The exchanges of a step between the parts, oldest first; without those of chain and console. */
  exchangesOf(id: string, step: TourStep): Promise<readonly Hop[]>
}

const mostTours = 5

export function createTours(options: ToursOptions): Tours {
  const { wallets, traces } = options
  const tours = new Map<string, TourState>()
  const underWay = new Map<string, Promise<Tour>>()

  function find(id: string): TourState {
    const found = tours.get(id)
    if (found !== undefined) return found
    const message = 'This tour has ended. Start again.'
    throw new TestbedError({ code: 'unknown_tour', status: 404, message })
  }

  function end(tour: Tour): void {
    tours.delete(tour.id)
    const { walletId } = tour
    if (wallets.list(tour.environment).some(({ id }) => id === walletId)) {
      wallets.remove(walletId ?? '')
    }
  }

  async function performNext(id: string, step: TourStep): Promise<Tour> {
    const tour = find(id)
    const context = { requestId: randomUUID(), scenarioId: tagOf(id, step) }
    try {
      const change = await withRequestContext(context, () => stepActions[step](options, tour))
      const results = { ...tour.results, ...change.results }
      const next = { ...tour, ...change, results, done: [...tour.done, step] }
      if (tours.has(id)) tours.set(id, next)
      return next
    } catch (error) {
      if (!isTestbedError(error)) throw error
      if (tours.has(id)) tours.set(id, { ...tour, failed: step })
      // The part may work again after a click: not an error of the console itself.
      const { code, message } = error
      throw new TestbedError({ code, status: 409, message, cause: error })
    }
  }

  return {
    find,
    end: (id) => end(find(id)),

    start({ environment }) {
      const [oldest] = tours.values()
      if (tours.size >= mostTours && oldest !== undefined) end(oldest)
      const tour: Tour = { id: randomUUID(), environment, done: [], results: {} }
      tours.set(tour.id, tour)
      return tour
    },

    async perform(id, step) {
      // Two clicks do a step once.
      await underWay.get(id)?.catch(() => {})
      const tour = find(id)
      if (tour.done.includes(step)) return tour
      if (tourSteps[tour.done.length] !== step) {
        const message = `Do the step "${tourSteps[tour.done.length]}" first.`
        throw new TestbedError({ code: 'step_too_early', status: 409, message })
      }
      const work = performNext(id, step)
      underWay.set(id, work)
      return work.finally(() => underWay.delete(id))
    },

    walletOf: ({ environment, walletId }) =>
      wallets.list(environment).find(({ id }) => id === walletId),

    async exchangesOf(id, step) {
      await runningOf(options, find(id)).collectHops()
      const tag = tagOf(id, step)
      return traces
        .since(0)
        .filter((hop) => hop.scenarioId === tag && hop.kind !== 'chain' && hop.from !== 'console')
    },
  }
}
