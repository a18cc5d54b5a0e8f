// Runs the part under test of one plan and the plan itself, and evaluates mutants for its parent. It is
// a separate process because sources are instrumented when they load, and a mutant may break it.

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
const part = separatePart(sources)
part.activate(mutant)
const evaluator = await openEvaluator(plan, part).catch((error) => {
  send({ kind: 'not-started', reason: String(error) })
  return undefined
})
part.activate()
if (evaluator) send({ kind: 'started' })

process.on('message', async (request: Request) => {
  if (!evaluator) return
  if (request.kind === 'cover') send({ kind: 'covered', coverage: await evaluator.cover() })
  else {
    const evaluation = await evaluator.evaluate(request.order, () => send({ kind: 'alive' }))
    send({ kind: 'evaluated', evaluation })
  }
})
