import type { SimulatedNetwork } from './create-simulated-network.ts'

/** Answers to calls that are kept until the next block, and the length of the largest of them. */
const [mostAnswers, longestAnswer] = [256, 32 * 1024]

/** Keeps what calls on the latest block return until the next change of the chain. */
export function createCallCache({ request }: SimulatedNetwork) {
  /** A new map for each state of the chain. */
  let answers = new Map<string, Promise<unknown>>()
  return {
    /** The engine needs a millisecond for each call. */
    call(params: readonly unknown[]): Promise<unknown> {
      const known = answers
      const key = JSON.stringify(params)
      const forget = () => known.delete(key)
      const answer = known.get(key) ?? request('eth_call', params)
      if (!known.has(key)) {
        if (known.size >= mostAnswers) known.clear()
        known.set(key, answer)
        answer.then((value) => String(value).length > longestAnswer && forget(), forget)
      }
      return answer
    },
    /** Changes the chain. A call that is answered meanwhile is not kept. */
    async changing<T>(work: () => Promise<T>): Promise<T> {
      answers = new Map()
      try {
        return await work()
      } finally {
        answers = new Map()
      }
    },
  }
}

export type CallCache = ReturnType<typeof createCallCache>
