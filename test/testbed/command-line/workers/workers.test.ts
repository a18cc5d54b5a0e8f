import { describe, expect, it } from 'vitest'
import { type ScenarioRun, selectScenarios } from '#scenarios/harness/select-scenarios.ts'
import { createScenario } from '#test/support/results.ts'
import { countWorkers } from '#testbed/command-line/workers/run-in-workers.ts'
import { createRunQueues, type RunQueue } from '#testbed/command-line/workers/run-queues.ts'

const runs = (name: string, count: number, overrides = {}): ScenarioRun[] =>
  selectScenarios(
    Array.from({ length: count }, (_, index) =>
      createScenario({ id: `suite/${name}-${index}`, algorithms: ['ES256K'], ...overrides }),
    ),
  )

function takeAll(queue: RunQueue, isExclusive = false): string[] {
  const ids: string[] = []
  for (;;) {
    const run = queue.take(isExclusive)
    if (run === undefined) return ids
    ids.push(run.scenario.id)
  }
}

describe('the queues of the workers', () => {
  it('give a worker its own part, then the end of the longest other part', () => {
    const queues = createRunQueues([runs('a', 1), runs('b', 2), runs('c', 3)])
    const first = queues.open(0)
    expect(takeAll(first)).toEqual([
      'suite/a-0',
      'suite/c-2',
      'suite/b-1',
      'suite/c-1',
      'suite/b-0',
      'suite/c-0',
    ])
    expect(takeAll(queues.open(1))).toEqual([])
    expect(first.taken).toHaveLength(6)
    expect(queues.left()).toEqual([])
  })

  it('give a worker its exclusive scenarios before the others, one worker at a time', () => {
    const alone = (name: string) => runs(name, 1, { exclusive: true })
    const queues = createRunQueues([
      [...alone('early'), ...runs('a', 3)],
      [...alone('late'), ...runs('b', 2)],
    ])
    const [first, last] = [queues.open(0), queues.open(1)]
    expect([first, last].map((queue) => queue.take(false)?.id)).toEqual([
      'suite/a-0/ES256K',
      'suite/b-0/ES256K',
    ])
    expect(last.take(false)).toBeUndefined()
    expect(first.take(true)).toBeUndefined()
    expect(first.take(false)?.id).toBe('suite/a-1/ES256K')
    expect(takeAll(last, true)).toEqual(['suite/late-0'])
    expect(first.take(false)).toBeUndefined()
    expect(takeAll(first, true)).toEqual(['suite/early-0'])
    expect(takeAll(last)).toEqual(['suite/b-1', 'suite/a-2'])
  })

  it('give exclusive scenarios of another worker when nothing else is left', () => {
    const queues = createRunQueues([runs('a', 1), runs('alone', 2, { exclusive: true })])
    const first = queues.open(0)
    expect(first.take(true)).toBeUndefined()
    expect(takeAll(first)).toEqual(['suite/a-0'])
    expect(takeAll(first, true)).toEqual(['suite/alone-1', 'suite/alone-0'])
  })

  it('leave scenarios with a real browser to their worker, which runs them after one other', () => {
    const page = runs('page', 1, { usesBrowser: true })
    const queues = createRunQueues([[...runs('a', 1), ...page], runs('b', 1)])
    expect(takeAll(queues.open(1))).toEqual(['suite/b-0', 'suite/a-0'])
    expect(takeAll(queues.open(0))).toEqual(['suite/page-0'])
    const again = createRunQueues([[...runs('a', 3), ...page], []]).open(0)
    expect(takeAll(again)).toEqual(['suite/a-0', 'suite/page-0', 'suite/a-1', 'suite/a-2'])
  })

  it('begin with an issuance', () => {
    const issuance = runs('a', 1, { id: 'issuance/a' })
    const page = runs('page', 1, { usesBrowser: true })
    const first = createRunQueues([[...runs('a', 1), ...issuance, ...page]]).open(0)
    expect(takeAll(first)).toEqual(['issuance/a', 'suite/page-0', 'suite/a-0'])
  })

  it('leave what is left of a lost worker, so that its loss stays visible', () => {
    const queues = createRunQueues([runs('a', 2), runs('b', 1)])
    const lost = queues.open(0)
    lost.take(false)
    lost.close()
    expect(takeAll(queues.open(1))).toEqual(['suite/b-0'])
    expect(queues.left().map(({ scenario }) => scenario.id)).toEqual(['suite/a-1'])
  })
})

describe('countWorkers', () => {
  it.each([
    [0, 8, 1],
    [2, 8, 1],
    [100, 8, 1],
    [101, 8, 2],
    [450, 2, 2],
    [450, 1, 1],
    [5000, 64, 4],
  ])('distributes %i runs on %i processors over %i processes', (runs, processors, workers) => {
    expect(countWorkers(runs, processors)).toBe(workers)
  })
})
