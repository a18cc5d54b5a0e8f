import { resolve } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import {
  compileContractMutant,
  placeContractMutants,
} from '#test/conformance/mutation/generated/contract-mutants.ts'
import { decidingContracts } from '#test/conformance/mutation/generated/deciding-code.ts'
import type { EvaluationOrder } from '#test/conformance/mutation/generated/evaluate-mutants.ts'
import { instrumentCode } from '#test/conformance/mutation/generated/instrument-code.ts'
import {
  type PartProcess,
  renewDamaged,
  startPartProcess,
} from '#test/conformance/mutation/generated/part-client.ts'
import { runNode } from '#test/support/processes.ts'

const plan = 'tir'
const minutes = 60_000

/** Real processes: each has a chain and both registries. */
const started: PartProcess[] = []
const start = () => {
  const process = startPartProcess({ plan })
  started.push(process)
  return process
}
afterEach(() => {
  for (const process of started.splice(0)) process.end()
})

/** Publishing an accreditation: it needs the root that the kit published before. */
const publishing = { id: 'T02', milliseconds: 2000 }

const orderOf = (mutant: string, changes: Partial<EvaluationOrder> = {}): EvaluationOrder => ({
  mutant,
  checks: [publishing],
  isAtLoad: false,
  hits: 10,
  isAskedTwice: false,
  control: publishing,
  ...changes,
})

/**
 * The contract stores everything below one hash. A new process publishes the kit's root there, and
 * the correct contract does not find it any more.
 */
function damagingOrder(): EvaluationOrder {
  const { contract, files } = decidingContracts[plan] ?? { contract: '', files: [] }
  const mutants = placeContractMutants(files)
  const { id = '' } = mutants.find(({ within }) => within.endsWith('._hashOf')) ?? {}
  const code = compileContractMutant(contract, files, id)
  if (code === undefined) throw new TypeError(`${id} does not compile`)
  return orderOf(id, { contract: code })
}

/** Every read of an attribute returns 404: publishing fails, and nothing remains of it. */
async function harmlessOrder(): Promise<EvaluationOrder> {
  const { mutants } = await instrumentCode(plan)
  const { id = '' } =
    mutants.find(
      ({ within, operator }) =>
        within === 'readAttribute.handle.attribute' && operator === 'IgnoreLookUp',
    ) ?? {}
  return orderOf(id)
}

it(
  'a process whose part does not pass the control after a mutant is damaged, until it ends',
  async () => {
    const process = start()
    await process.started
    const harmless = await harmlessOrder()
    const { mutant: unknown } = orderOf('00000000')
    expect(await process.evaluate(damagingOrder())).toEqual({
      verdict: 'survived',
      isHealthy: false,
    })
    // Without any mutant: that is what the next verdicts of a damaged process are worth.
    expect(await process.evaluate({ ...harmless, mutant: unknown })).toMatchObject({
      verdict: 'killed',
      check: 'T02',
      isHealthy: false,
    })
    process.end()
    const answers = [await process.evaluate(harmless), await process.evaluate(harmless)]
    expect(answers).toEqual([undefined, undefined])
  },
  5 * minutes,
)

it(
  'a process is replaced if it is damaged or has ended, and kept if it is healthy',
  async () => {
    const processes = renewDamaged(start)
    const harmless = await harmlessOrder()
    const killed = { verdict: 'killed', check: 'T02', isHealthy: true }
    expect(await processes.evaluate(damagingOrder())).toMatchObject({ isHealthy: false })
    expect(started).toHaveLength(2)
    expect(await processes.evaluate(harmless)).toMatchObject(killed)
    expect(await processes.evaluate(harmless)).toMatchObject(killed)
    expect(started).toHaveLength(3)
    started[2]?.end()
    expect(await processes.evaluate(harmless)).toMatchObject(killed)
    expect(started).toHaveLength(4)
  },
  5 * minutes,
)

const main = resolve(import.meta.dirname, 'main.ts')

it('runs several plans whose mutants change the same code', async () => {
  const { exitCode, stdout } = await runNode([main, '--only', '^(O27|T42)-', '--json'])
  const outcomes: Record<string, { mutants: { own: { kind: string } }[] }> = JSON.parse(stdout)
  const kinds = Object.entries(outcomes).map(([plan, { mutants }]) => [
    plan,
    mutants.map(({ own }) => own.kind),
  ])
  expect(kinds).toEqual([
    ['idp', ['broken']],
    ['tir', ['broken']],
  ])
  expect(exitCode).toBe(0)
})

it.each([
  ['an unknown plan', ['walet']],
  ['a pattern that matches no mutant', ['--only', '^X99']],
  ['an invalid pattern', ['--only', '(']],
])('exits with code 2 for %s', async (_what, args) => {
  expect(await runNode([main, ...args])).toMatchObject({ exitCode: 2, stdout: '' })
})
