// Runs the part under test of one plan and the plan itself, and evaluates mutants for its parent. It is
// a separate process because sources are instrumented when they load, and a mutant may break it.

import { flushCompileCache } from 'node:module'
import { exposeChain } from './contract-switch.ts'
import { decidingContracts, partServices } from './deciding-code.ts'
import { openEvaluator } from './evaluate-mutants.ts'
import { instrumentCode } from './instrument-code.ts'
import type { Answer, Request, Start } from './part-client.ts'
import { separatePart } from './separate-part.ts'

const [argument = ''] = process.argv.slice(2)
const { plan, mutant }: Start = JSON.parse(argument)
const send = (answer: Answer) => process.send?.(answer)

// A mutant may leave work behind that fails later: that is not the end of the next mutant.
process.on('unhandledRejection', () => undefined)
process.on('uncaughtException', () => undefined)
// The parent was interrupted.
process.on('disconnect', () => process.exit())

const { sources } = await instrumentCode(plan)
const patched = plan in decidingContracts ? { ...sources, ...exposeChain() } : sources
const part = separatePart(patched, partServices[plan])
part.activate(mutant)
const evaluator = await openEvaluator(plan, part).catch((error) => {
  send({ kind: 'not-started', reason: String(error) })
  return undefined
})
part.activate()
if (evaluator) send({ kind: 'started' })
// The process ends with a signal, and then Node would not save what it compiled.
if (mutant === undefined) flushCompileCache()

process.on('message', async (request: Request) => {
  if (!evaluator) return
  const onCheck = () => send({ kind: 'alive' })
  if (request.kind === 'cover') send({ kind: 'covered', coverage: await evaluator.cover(onCheck) })
  else {
    const evaluation = await evaluator.evaluate(request.order, onCheck)
    send({ kind: 'evaluated', evaluation })
  }
})
